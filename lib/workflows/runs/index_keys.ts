import type { InitiatorKind } from "../../model/task_row.ts";
import { rowKeys } from "../../store/keys.ts";
import type { RunRow } from "../run_schema.ts";
import { FINAL_STATUSES, type RunStatus } from "../step_state.ts";

/** Starter of a run in keys: a person or a trigger. */
export type RunStarterKey = number | InitiatorKind;
const ANY = 0;

/** Returns the starter of a run; null for an unknown one. */
export const starterKeyOf = (
  { started_by, user_id }: Pick<RunRow, "started_by" | "user_id">,
): RunStarterKey | null => started_by?.kind ?? user_id;

/**
 * Returns the rows that find a run: its own one, and one for each filter of the list of runs. Only
 * the status of a run that has ended is indexed, because the others are in `open_workflow_runs`.
 */
export function runKeys(run: RunRow): Deno.KvKey[] {
  const { project_id, workflow_id, id, end, status } = run;
  const starter = starterKeyOf(run);
  return [0, workflow_id].flatMap((workflowId) =>
    [ANY, ...starter === null ? [] : [starter]].flatMap((starter) =>
      ["" as const, ...end === null ? [] : [status]].map((status) => [
        ...runIndex(project_id, { workflowId, starter, status }),
        id,
      ])
    )
  );
}

interface IndexedBy {
  workflowId?: number;
  starter?: RunStarterKey;
  status?: RunStatus | "";
}

/** Returns the prefix of the runs that match. Their ids end the keys. */
export function runIndex(
  projectId: number,
  { workflowId = 0, starter = ANY, status = "" }: IndexedBy,
): Deno.KvKey {
  if (starter !== ANY || status !== "") {
    return rowKeys.workflowRunHistory(projectId, workflowId, starter, status);
  }
  return workflowId === 0
    ? rowKeys.workflowRuns(projectId)
    : rowKeys.workflowRunsBy(projectId, workflowId);
}

/** Returns the keys that the end of a run adds. */
export const endKeys = (run: RunRow): Deno.KvKey[] => {
  const known = new Set(runKeys({ ...run, end: null }).map(String));
  return runKeys(run).filter((key) => !known.has(String(key)));
};

/** Whether all runs with a status have ended, so that an index finds them. */
export const isFinalStatus = (status: RunStatus): boolean =>
  (FINAL_STATUSES as readonly RunStatus[]).includes(status);
