import type { ProjectScope } from "../access/scope.ts";
import { type Sight, sightOf } from "../access/sight.ts";
import { AppError, notFound, type Sentence } from "../base/errors.ts";
import { plainReason } from "../base/reason.ts";
import type { RunRow, RunView } from "./run_schema.ts";
import { getRunEntry } from "./runs/repository.ts";
import type { Definition, Step, WorkflowRow } from "./schema.ts";
import { workflowRows } from "./repository.ts";

/** The name of a step whose template or workflow the reader may not see. */
export const HIDDEN_STEP: Sentence = { key: "workflows.hidden_step" };
const HIDDEN_REASON: Sentence = { key: "workflows.hidden_reason" };

/** Returns a workflow that the actor sees. Throws not found. */
export async function getSeenWorkflow(scope: ProjectScope, id: number): Promise<WorkflowRow> {
  const { deps: { kv }, projectId } = scope;
  if (!(await sightOf(scope)).maySee("workflows", id)) throw notFound();
  return await workflowRows.get(kv, projectId, id);
}

/** Returns the stored run of a workflow, which the actor sees. Throws not found. */
export async function getSeenRun(
  scope: ProjectScope,
  workflowId: number,
  id: number,
): Promise<Deno.KvEntry<RunRow>> {
  const { deps: { kv }, projectId } = scope;
  const entry = await getRunEntry(kv, projectId, workflowId, id);
  if (!maySeeRun(await sightOf(scope), entry.value)) throw notFound();
  return entry;
}

/** Whether someone sees a run. Without the right to see tasks of others, they see their own. */
export const maySeeRun = (
  sight: Sight,
  { workflow_id, user_id }: Pick<RunRow, "workflow_id" | "user_id">,
): boolean =>
  sight.maySee("workflows", workflow_id) &&
  (sight.seesAllTasks || user_id !== null && user_id === sight.userId);

/** Whether someone may not see what a step runs. */
export const isHiddenStep = (sight: Sight, step: Step): boolean =>
  step.kind === "template" && !sight.maySee("templates", step.template_id) ||
  step.kind === "workflow" && !sight.maySee("workflows", step.workflow_id);

/** Returns steps without anything about those that someone may not see but their place. */
export const seenSteps = (sight: Sight, steps: Step[]): Step[] =>
  sight.seesAll ? steps : steps.map((step) => isHiddenStep(sight, step) ? emptied(step) : step);

function emptied(step: Step): Step {
  const bare = { ...step, name: "", hidden: true as const };
  if (bare.kind === "template") return { ...bare, template_id: 0, params: null, values: [] };
  return bare.kind === "workflow" ? { ...bare, workflow_id: 0, values: [] } : bare;
}

/** Throws 403 unless the actor sees what all steps run. The others could be changed unseen. */
export function requireSeenSteps(sight: Sight, steps: readonly Step[]): void {
  if (!steps.some((step) => isHiddenStep(sight, step))) return;
  throw new AppError(403, "errors.workflows.hidden_steps");
}

/** Throws 404 for a step of a form that names something the actor does not see. */
export function requireSeenTargets(sight: Sight, steps: readonly Step[]): void {
  const n = steps.findIndex((step) => isHiddenStep(sight, step));
  if (n < 0) return;
  const field = `steps.${n}.${steps[n].kind}_id`;
  const fields = { [field]: { key: "errors.not_in_project" } };
  throw new AppError(404, "errors.field_not_in_project", { field }, { fields });
}

/** Returns a run as someone sees it, without what leads to hidden templates and workflows. */
export function seenRun(sight: Sight, run: RunView, { steps }: Pick<Definition, "steps">): RunView {
  if (sight.seesAll) return run;
  const { build, parent, initiator, failed_task: task } = run;
  const isBuildSeen = build !== null && sight.maySee("templates", build.template_id);
  const isParentSeen = parent !== null && sight.maySee("workflows", parent.workflow_id);
  const isTaskSeen = task !== null && sight.maySee("templates", task.template_id);
  const isInitiatorSeen = initiator?.kind === "autorun"
    ? isBuildSeen
    : initiator?.kind !== "workflow" || isParentSeen;
  const isExplained = task
    ? isTaskSeen
    : !steps.some((step, n) => isHiddenStep(sight, step) && run.states[n] === "failed");
  const shown = isExplained || run.status !== "failed";
  return {
    ...run,
    build: isBuildSeen ? build : null,
    parent: isParentSeen ? parent : null,
    initiator: initiator && (isInitiatorSeen ? initiator : { ...initiator, id: null, name: "" }),
    root_task_id: steps.some((step) => isHiddenStep(sight, step)) ? null : run.root_task_id,
    failed_task: isTaskSeen ? task : null,
    ...!shown && { end_reason: HIDDEN_REASON, reason: plainReason(HIDDEN_REASON) },
  };
}
