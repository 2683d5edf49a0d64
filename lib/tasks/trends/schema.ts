import { z } from "zod";
import { listFilter } from "../../base/list_query.ts";
import { type Status, STATUSES } from "../status.ts";

const day = listFilter(z.iso.date(), "errors.date");

/** UTC days, the first one included and the last one not; all that are kept without them. */
export const statsQuery = z.object({
  start: day,
  end: day,
  user_id: listFilter(z.coerce.number().int().min(1), "errors.integer"),
});

/** The runs of a UTC day by how they ended; durations are seconds. Days without any are left out. */
export const statsSchema = z.array(z.object({
  date: z.iso.date(),
  count_by_status: z.partialRecord(z.enum(STATUSES), z.int()),
  avg_duration: z.int(),
}));
export type Stats = z.output<typeof statsSchema>;

/** How runs end, the good ones first. */
export const ENDS = ["success", "error", "stopped"] as const satisfies Status[];
export type End = (typeof ENDS)[number];

/** The ended runs of a day of the reader's time zone. */
export interface DayRuns {
  /** "2026-03-01" */
  day: string;
  counts: Record<End, number>;
}

/** How many runs of these days ended so. */
export const countEnds = (days: readonly Pick<DayRuns, "counts">[], end: End): number =>
  days.reduce((total, { counts }) => total + counts[end], 0);

/** How often runs went well of those that were not stopped, from 0 to 1; null where there are none. */
export function successRate(days: readonly Pick<DayRuns, "counts">[]): number | null {
  const well = countEnds(days, "success");
  const ended = well + countEnds(days, "error");
  return ended === 0 ? null : well / ended;
}
