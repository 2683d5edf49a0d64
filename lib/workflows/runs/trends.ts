import type * as z from "zod";
import type { ProjectScope } from "../../access/scope.ts";
import { sightOf } from "../../access/sight.ts";
import { getSeenWorkflow } from "../seen.ts";
import {
  countEnd,
  dayOf,
  readDayCounts,
  secondsBetween,
  sweepDayCounts,
} from "../../store/day_counts.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { RunRow, RunStep } from "../run_schema.ts";
import { type FinalState, isEnded } from "../step_state.ts";
import type { RunStats, runStatsQuery } from "../trend_schema.ts";

/** The place of a whole run among its steps, whose ids begin with 1. */
const WHOLE_RUN = 0;
/** Days that are answered if no other are asked for. */
const DAYS = 30;

/**
 * Adds the end of a run to the counts of the UTC day on which it was created, with the ends of its
 * steps. A run ends once. Counts stay when the run is deleted, as those of tasks do.
 */
export function countRunEnd(op: Atomic, run: RunRow): void {
  const { project_id, workflow_id, created, end, status } = run;
  const day = [...rowKeys.workflowTrends(project_id, workflow_id), dayOf(created)];
  countEnd(
    op,
    [...day, WHOLE_RUN],
    status,
    status === "stopped" ? 0 : secondsBetween(created, end),
  );
  for (const [id, step] of Object.entries(run.steps)) {
    if (isEnded(step.state) && !step.kept) {
      countEnd(op, [...day, Number(id)], step.state, secondsOf(step));
    }
  }
}

/** Returns the duration of a step in seconds; 0 unless it succeeded or failed. */
const secondsOf = ({ state, start, end }: RunStep): number =>
  state === "success" || state === "failed" ? secondsBetween(start, end) : 0;

/** Deletes a project's counts for days that are no longer needed. */
export const sweepRunCounts = (kv: Store, projectId: number, now: Date) =>
  sweepDayCounts(kv, rowKeys.workflowTrendsOf(projectId), 1, now);

/** Returns how the runs of a workflow and their steps ended on each UTC day, oldest day first. */
export async function readRunStats(
  scope: ProjectScope,
  workflowId: number,
  { start = dayOf(scope.deps.clock.now(), DAYS), end }: z.output<typeof runStatsQuery> = {},
): Promise<RunStats> {
  const { deps: { kv }, projectId } = scope;
  await getSeenWorkflow(scope, workflowId);
  // The runs are counted together, whoever started them.
  if (!(await sightOf(scope)).seesAllTasks) return [];
  const key = rowKeys.workflowTrends(projectId, workflowId);
  const ends = await readDayCounts<FinalState>(kv, key, { start, end });
  return [...Map.groupBy(ends, ({ date }) => date)].map(([date, [whole, ...steps]]) => ({
    date,
    count_by_status: whole.counts,
    avg_duration: whole.average,
    steps: steps.map(({ id, counts, average }) => ({
      id,
      count_by_state: counts,
      avg_duration: average,
    })),
  }));
}
