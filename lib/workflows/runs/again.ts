import type { ProjectScope } from "../../access/scope.ts";
import { conflict, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { guardProject } from "../../kv/guard_project.ts";
import { transact } from "../../kv/transact.ts";
import { checkAnswers } from "../../surveys/answers.ts";
import { linksOf } from "../definition.ts";
import { runEvent } from "../events.ts";
import { workflowRows } from "../repository.ts";
import type { RunAgainForm, RunRow, RunStep, RunView } from "../run_schema.ts";
import type { Definition } from "../schema.ts";
import { runChanged } from "./changes.ts";
import { addRun, definitionOf, requireShortAnswers } from "./new_run.ts";
import { getRunEntry, readDefinition, requireRoomForRun } from "./repository.ts";
import { starterOf } from "./start.ts";
import { runView } from "./view.ts";
import { listVotes } from "./vote_rows.ts";

/**
 * Repeats a run that has failed or was stopped. Steps that succeeded are kept, if all steps before
 * them are. Throws 409 if it has not ended, or was successful.
 */
export async function runAgain(
  { deps, actor, projectId }: ProjectScope<"run_tasks">,
  workflowId: number,
  id: number,
  { latest, secret }: RunAgainForm,
): Promise<RunView> {
  const { kv, clock } = deps;
  const { value: before } = await getRunEntry(kv, projectId, workflowId, id);
  if (before.end === null) throw conflict("errors.workflows.run_open");
  if (before.status === "success") throw conflict("errors.workflows.nothing_failed");
  const row = await workflowRows.get(kv, projectId, workflowId);
  const followed = await readDefinition(kv, before);
  const definition = latest ? await definitionOf(kv, row) : followed;
  const given = JSON.parse(before.environment) as Record<string, unknown>;
  const answers = checkAnswers(definition.survey_vars, {
    lists: new Map(),
    given,
    givenSecret: secret,
    manages: false,
  });
  requireShortAnswers(answers.open, answers.secret);
  await requireRoomForRun(kv, projectId);
  const sealed = Object.keys(answers.secret).length > 0
    ? await deps.secrets.seal(JSON.stringify(answers.secret))
    : null;
  const starter = starterOf({ actor });
  const votes = await listVotes(kv, before);
  const isApproved = (stepId: number) =>
    definition.version === before.version &&
    !votes.get(stepId)?.some(({ user_id }) => user_id === starter.user_id);
  const run = await transact(kv, async (op) => {
    const current = await workflowRows.find(kv, projectId, workflowId);
    if (!current) throw notFound();
    op.check(current.entry);
    await guardProject(kv, op, projectId);
    const added = await addRun(kv, op, {
      workflow: row,
      definition,
      starter,
      message: before.message,
      ...answers,
      sealed,
      kept: keptSteps(before, followed, definition, isApproved),
      path: [],
      again_of: before.id,
      now: clock.now(),
    });
    recordEvent(op, deps, actor, runEvent(added, "started_again", { before: before.id }));
    return added;
  });
  runChanged(deps, run);
  return runView(run, definition);
}

/**
 * Returns the steps of a run that need not be repeated: those that succeeded, if all steps before
 * them did, too, or were skipped for the same reason as they would be again.
 */
function keptSteps(
  { steps }: Pick<RunRow, "steps">,
  followed: Definition,
  definition: Definition,
  isApproved: (stepId: number) => boolean,
): Record<string, RunStep> {
  const links = linksOf(definition.steps);
  const known = new Map(followed.steps.map((step) => [step.id, step]));
  const byId = new Map(definition.steps.map((step) => [step.id, step]));
  const settled = new Map<number, boolean>();
  const isSettled = (id: number): boolean => {
    if (settled.has(id)) return settled.get(id)!;
    const step = byId.get(id)!;
    const { state } = steps[id] ?? { state: "pending" };
    const is = (state === "success" || state === "skipped") &&
      sameWork(known.get(id), step) && (step.kind !== "approval" || isApproved(id)) &&
      links.get(id)!.every(({ step }) => isSettled(step));
    settled.set(id, is);
    return is;
  };
  const kept = definition.steps.filter(({ id }) => steps[id]?.state === "success" && isSettled(id));
  return Object.fromEntries(kept.map(({ id }) => [id, { ...steps[id], kept: true as const }]));
}

/** Whether two steps do the same, wherever they are in the list. */
const sameWork = (a: Definition["steps"][number] | undefined, b: Definition["steps"][number]) =>
  a !== undefined && JSON.stringify({ ...a, name: "", after: null }) ===
    JSON.stringify({ ...b, name: "", after: null });
