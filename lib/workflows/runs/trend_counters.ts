import { deletePrefix } from "../../store/delete_prefix.ts";
import { firstOfEach } from "../../store/first_of_each.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { RunRow, RunStep } from "../run_schema.ts";
import { isEnded } from "../step_state.ts";

/** Days for which counts are kept, as for the counts of tasks. */
const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

/** The place of a whole run among its steps, whose ids begin with 1. */
export const WHOLE_RUN = 0;

/**
 * Adds the end of a run to the counts of the UTC day on which it was created, with the ends of its
 * steps. A run ends once. Counts stay when the run is deleted, as those of tasks do.
 */
export function countRunEnd(op: Atomic, run: RunRow): void {
  const { project_id, workflow_id, created, end, status } = run;
  const prefix = [...rowKeys.workflowTrends(project_id, workflow_id), created.slice(0, 10)];
  const count = (id: number, state: string, seconds: number) => {
    op.sum([...prefix, id, state], 1n);
    if (seconds > 0) op.sum([...prefix, id, "seconds"], BigInt(seconds));
  };
  count(WHOLE_RUN, status, status === "stopped" ? 0 : secondsBetween(created, end));
  for (const [id, step] of Object.entries(run.steps)) {
    if (isEnded(step.state) && !step.kept) count(Number(id), step.state, secondsOf(step));
  }
}

/** Returns the duration of a step in seconds; 0 unless it succeeded or failed. */
const secondsOf = ({ state, start, end }: RunStep): number =>
  state === "success" || state === "failed" ? secondsBetween(start, end) : 0;

const secondsBetween = (start?: string | null, end?: string | null): number =>
  start && end ? Math.max(0, Math.round((Date.parse(end) - Date.parse(start)) / 1000)) : 0;

/** Deletes a project's counts for days that are no longer needed. */
export async function sweepRunCounts(kv: Store, projectId: number, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
  for await (const { part } of firstOfEach(kv, rowKeys.workflowTrendsOf(projectId))) {
    const prefix = rowKeys.workflowTrends(projectId, part);
    await deletePrefix(kv, prefix, [...prefix, oldest]);
  }
}
