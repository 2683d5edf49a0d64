import { grants } from "../../access/permissions.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { getSeenRun, getSeenWorkflow } from "../seen.ts";
import { AppError, type Sentence } from "../../base/errors.ts";
import { ancestorsOf, linksOf } from "../definition.ts";
import type { RunRow } from "../run_schema.ts";
import type { ApprovalStep, Definition, Step, WorkflowRow } from "../schema.ts";
import { definitionOf } from "./new_run.ts";
import { readDefinition } from "./repository.ts";

const REFUSALS = {
  rights: { status: 403, key: "errors.workflows.earlier_version" },
  approvals: { status: 409, key: "errors.workflows.approvals_changed" },
} as const;

/**
 * Throws 403 unless the actor may start an earlier definition, which lacks the approvals that were
 * added since. Triggers may not: they start what the workflow is when they start it.
 */
export function requireMayStartEarlier({ permissions }: Pick<ProjectScope, "permissions">): void {
  if (!grants(permissions, "manage_resources")) throw refused("rights");
}

/**
 * Returns the definition that a repeated run follows. Without a wish (`latest` is null), that is
 * the one of `before`, or the present one where the former is refused. Throws 403 and 409 for the
 * former if it is asked for and refused.
 */
export async function definitionAgain(
  scope: ProjectScope<"run_tasks">,
  workflow: WorkflowRow,
  before: RunRow,
  latest: boolean | null,
): Promise<Definition> {
  const { kv } = scope.deps;
  const followed = await readDefinition(kv, before);
  if (before.version === workflow.version) return followed;
  const reason = latest ? null : refusalOf(scope, followed, workflow);
  if (latest === false && reason) throw refused(reason);
  return latest || reason ? await definitionOf(kv, workflow) : followed;
}

/** Returns why a run cannot be repeated with its own definition; null if it can. */
export async function earlierRefusal(
  scope: ProjectScope,
  workflowId: number,
  runId: number,
): Promise<Sentence | null> {
  const { kv } = scope.deps;
  const [workflow, { value: run }] = await Promise.all([
    getSeenWorkflow(scope, workflowId),
    getSeenRun(scope, workflowId, runId),
  ]);
  if (run.version === workflow.version) return null;
  const reason = refusalOf(scope, await readDefinition(kv, run), workflow);
  return reason && { key: REFUSALS[reason].key };
}

type Reason = keyof typeof REFUSALS;

const refused = (reason: Reason) => new AppError(REFUSALS[reason].status, REFUSALS[reason].key);

function refusalOf(
  { permissions }: Pick<ProjectScope, "permissions">,
  earlier: Pick<Definition, "steps">,
  present: Pick<Definition, "steps">,
): Reason | null {
  if (!grants(permissions, "manage_resources")) return "rights";
  return asksForAll(earlier.steps, present.steps) ? null : "approvals";
}

/**
 * Whether an earlier definition asks for all approvals of the present one, before all of its steps
 * that now come after them. Names do not matter, and neither do steps that were removed.
 */
export function asksForAll(earlier: readonly Step[], present: readonly Step[]): boolean {
  const known = new Map(earlier.map((step) => [step.id, step]));
  const [before, now] = [linksOf(earlier), linksOf(present)];
  const guarded = guardedBy(present);
  return present.every(({ id, join, ...step }) => {
    const old = known.get(id);
    if (step.kind === "approval" && !sameRule(old, step)) return false;
    if (!guarded.has(id) || !old) return true;
    return old.join === join && JSON.stringify(before.get(id)) === JSON.stringify(now.get(id));
  });
}

const sameRule = (old: Step | undefined, { approval }: Pick<ApprovalStep, "approval">) =>
  old?.kind === "approval" && JSON.stringify(old.approval) === JSON.stringify(approval);

/** Returns the ids of the steps after an approval, directly or through others. */
function guardedBy(steps: readonly Step[]): Set<number> {
  const before = ancestorsOf(steps);
  const approvals = steps.filter(({ kind }) => kind === "approval");
  return new Set(
    steps.flatMap(({ id }) =>
      approvals.some((approval) => before.get(id)!.has(approval.id)) ? id : []
    ),
  );
}
