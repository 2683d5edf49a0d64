import { nextRun, parseCron, type Timetable } from "./cron.ts";
import type { ScheduleRow } from "./schema.ts";

type Times = Pick<ScheduleRow, "type" | "cron_format" | "timezone" | "run_at" | "active">;

/** The times of a schedule that has a cron format; throws 400 when that cannot be read. */
export const timetableOf = ({ cron_format, timezone }: Times): Timetable =>
  parseCron(cron_format, timezone);

/** When a schedule that was just made or changed comes first; null when it does not come. */
export function firstDue(row: Times, now: Date): string | null {
  if (!row.active) return null;
  if (row.type === "run_at") return row.run_at;
  return nextRun(timetableOf(row), now)?.toISOString() ?? null;
}

/** The coming times of a schedule, the next one first. */
export function comingRuns(row: Times & Pick<ScheduleRow, "next_at">, count: number): string[] {
  if (row.next_at === null) return [];
  if (row.type === "run_at") return [row.next_at];
  const timetable = timetableOf(row);
  const runs = [new Date(row.next_at)];
  while (runs.length < count) {
    const next = nextRun(timetable, runs.at(-1)!);
    if (!next) break;
    runs.push(next);
  }
  return runs.map((run) => run.toISOString());
}
