import type { FinalState } from "./step_state.ts";
import type { RunStats } from "./trend_schema.ts";

/** Ends of a step over several days, and its average duration. */
export interface StepTrend {
  id: number;
  counts: Partial<Record<FinalState, number>>;
  /** Average duration in seconds; null if it has neither succeeded nor failed. */
  average: number | null;
}

/** Adds up the days of each step. */
export function stepTrends(stats: RunStats): StepTrend[] {
  const steps = new Map<number, { counts: Record<FinalState, number>; seconds: number }>();
  for (const { id, count_by_state, avg_duration } of stats.flatMap(({ steps }) => steps)) {
    const sum = steps.get(id) ??
      { counts: { success: 0, failed: 0, stopped: 0, skipped: 0 }, seconds: 0 };
    for (const [state, count] of Object.entries(count_by_state)) {
      sum.counts[state as FinalState] += count;
    }
    const { success = 0, failed = 0 } = count_by_state;
    sum.seconds += avg_duration * (success + failed);
    steps.set(id, sum);
  }
  return [...steps].map(([id, { counts, seconds }]) => {
    const ended = counts.success + counts.failed;
    return { id, counts, average: ended === 0 ? null : seconds / ended };
  });
}
