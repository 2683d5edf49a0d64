import type * as z from "zod";
import type { ProjectScope } from "../../access/scope.ts";
import { cachedWhile } from "../../store/cached.ts";
import { readDayCounts } from "../../store/day_counts.ts";
import { rowKeys } from "../../store/keys.ts";
import { requireRow } from "../../store/rows/row_reader.ts";
import type { Store } from "../../store/store.ts";
import type { Status } from "../../model/status.ts";
import { quarterOf } from "./counters.ts";
import type { DayRuns, End, Stats, statsQuery } from "./schema.ts";

/** Returns the tasks of each UTC day of a project or one of its templates, oldest day first. */
export async function readStats(
  { deps: { kv }, projectId }: ProjectScope,
  { start, end, user_id = 0 }: z.output<typeof statsQuery>,
  templateId = 0,
): Promise<Stats> {
  if (templateId > 0) await requireRow(kv, "templates", projectId, templateId);
  const key = rowKeys.runsByDay(projectId, templateId, user_id);
  const days = await readDayCounts<Status>(kv, key, { start, end });
  return days.map(({ date, counts, average }) => ({
    date,
    count_by_status: counts,
    avg_duration: average,
  }));
}

/** Number of days returned. */
const DAYS = 30;

/**
 * Returns a project's tasks of the last 30 days of a time zone, oldest day first, by creation time
 * as in the history's filter.
 */
export function readDays(
  { deps: { kv, clock }, projectId }: ProjectScope,
  timeZone: string,
): Promise<DayRuns[]> {
  const today = Temporal.Instant.fromEpochMilliseconds(clock.now().getTime())
    .toZonedDateTimeISO(timeZone).toPlainDate();
  const name = `days until ${today} in ${timeZone} of ${projectId}`;
  return cachedWhile(
    kv,
    [rowKeys.tasksWake()],
    name,
    () => countDays(kv, projectId, today, timeZone),
  );
}

async function countDays(
  kv: Store,
  projectId: number,
  today: Temporal.PlainDate,
  timeZone: string,
): Promise<DayRuns[]> {
  const dates = Array.from({ length: DAYS }, (_, n) => today.subtract({ days: DAYS - 1 - n }));
  const begins = dates.map((date) =>
    quarterOf(new Date(date.toZonedDateTime(timeZone).epochMilliseconds))
  );
  const days = dates.map((date): DayRuns => ({
    day: date.toString(),
    counts: { success: 0, error: 0, stopped: 0 },
  }));
  const prefix = rowKeys.runsByQuarter(projectId);
  const selector = { prefix, start: [...prefix, begins[0]] };
  let n = 0;
  for await (const { key, value } of kv.list<Deno.KvU64>(selector, { batchSize: 500 })) {
    const [quarter, end] = key.slice(-2) as [string, End];
    while (n + 1 < DAYS && quarter >= begins[n + 1]) n++;
    days[n].counts[end] += Number(value.value);
  }
  return days;
}
