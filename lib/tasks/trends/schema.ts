import * as z from "zod";
import { daysBetween, starterOfTasks } from "../../base/lists/list_query.ts";
import { type Status, STATUSES } from "../../model/status.ts";

/** UTC days, including the first and excluding the last; all stored days if missing. */
export const statsQuery = z.object({
  ...daysBetween,
  user_id: starterOfTasks,
});

/**
 * Tasks of each UTC day by final status; durations are seconds. Days without tasks are left out.
 */
export const statsSchema = z.array(
  z.object({
    date: z.iso.date(),
    count_by_status: z.partialRecord(z.enum(STATUSES), z.int()),
    avg_duration: z.int(),
  }).meta({ name: "DayStats" }),
);
export type Stats = z.output<typeof statsSchema>;

/** Final statuses, success first. */
export const ENDS = ["success", "error", "stopped"] as const satisfies Status[];
export type End = (typeof ENDS)[number];

/** Finished tasks of a day in the reader's time zone. */
export interface DayRuns {
  /** "2026-03-01" */
  day: string;
  counts: Record<End, number>;
}

/** Returns how many tasks of these days ended with this status. */
export const countEnds = (days: readonly Pick<DayRuns, "counts">[], end: End): number =>
  days.reduce((total, { counts }) => total + counts[end], 0);

/**
 * Returns the share of successful tasks among those that were not stopped, from 0 to 1; null if
 * there are none.
 */
export function successRate(days: readonly Pick<DayRuns, "counts">[]): number | null {
  const well = countEnds(days, "success");
  const ended = well + countEnds(days, "error");
  return ended === 0 ? null : well / ended;
}
