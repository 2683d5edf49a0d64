import type { SystemActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic } from "../../store/store.ts";
import type { RunRow, RunStep } from "../run_schema.ts";
import type { RunStatus } from "../step_state.ts";
import { runKey } from "./new_run.ts";

/** The actor of the steps of a run. It acts on behalf of the person who started or stopped it. */
export const runActor = (
  run: RunRow,
  person: SystemActor["person"] = personOf(run),
): SystemActor => ({
  kind: "workflow",
  id: run.id,
  name: run.workflow_name,
  projectId: run.project_id,
  person,
});

const personOf = ({ user_id: id, username }: RunRow) => ({ id, username });

/** Adds the changed run to `op`, which checks that the stored one is still `entry`. */
export function setRun(
  op: Atomic,
  entry: Deno.KvEntryMaybe<RunRow>,
  run: RunRow,
): void {
  op.check(entry).set(runKey(run), run).set(rowKeys.workflowRunsStamp(), run.id);
  const asking = rowKeys.askingWorkflowRun(run.project_id, run.id);
  if (run.end === null && hasQuestion(run.steps)) op.set(asking, true);
  else op.delete(asking);
}

/** Whether a step waits for votes. An approval counts them. */
const hasQuestion = (steps: RunRow["steps"]): boolean =>
  Object.values(steps).some(({ state, approved }) => state === "waiting" && approved !== undefined);

/** Publishes that a run has changed to the pages of this process. */
export const runChanged = (deps: Pick<Deps, "hub">, { project_id, id }: RunRow): void =>
  deps.hub.publish({ type: "workflow", project_id, run_id: id });

/** Returns the run with a changed step. */
export function withStep(run: RunRow, id: number, step: RunStep): RunRow {
  const steps = { ...run.steps, [id]: step };
  return { ...run, steps, status: statusOf(steps) };
}

/** The status of an open run. */
export function statusOf(steps: RunRow["steps"]): RunStatus {
  const all = Object.values(steps);
  if (all.some(({ state }) => state === "running")) return "running";
  return hasQuestion(steps) ? "approval" : "running";
}
