import { nextRun, parseCron, type Timetable } from "./cron.ts";
import type { ScheduleRow } from "./schema.ts";
import { spreadTimes } from "./spread.ts";

type Times =
  & Pick<ScheduleRow, "type" | "cron_format" | "timezone" | "run_at" | "active">
  & Partial<Pick<ScheduleRow, "check" | "template_id" | "offset_days">>;

/** Parses the times of a schedule with a cron format. Throws 400 if it is invalid. */
export const timetableOf = (
  { cron_format, timezone, check, template_id, offset_days }: Times,
): Timetable =>
  parseCron(
    check ? spreadTimes(cron_format, template_id ?? 0) : cron_format,
    timezone,
    offset_days,
  );

/** First time of a new or changed schedule; null if it has none. */
export function firstDue(row: Times, now: Date): string | null {
  if (!row.active) return null;
  if (row.type === "run_at") return row.run_at;
  return nextRun(timetableOf(row), now)?.toISOString() ?? null;
}

/** The next times of a schedule, ascending. */
export function comingRuns(row: Times & Pick<ScheduleRow, "next_at">, count: number): string[] {
  if (row.next_at === null) return [];
  if (row.type === "run_at" || count === 1) return [row.next_at];
  const timetable = timetableOf(row);
  const runs = [new Date(row.next_at)];
  while (runs.length < count) {
    const next = nextRun(timetable, runs.at(-1)!);
    if (!next) break;
    runs.push(next);
  }
  return runs.map((run) => run.toISOString());
}
