import type * as z from "zod";
import type { ProjectScope } from "../../access/scope.ts";
import { sightStamps } from "../../access/rules/read.ts";
import { requireSeen, sightOf } from "../../access/sight.ts";
import { cachedWhile } from "../../store/cached.ts";
import { rowKeys } from "../../store/keys.ts";
import { requireRow } from "../../store/rows/row_reader.ts";
import type { Store } from "../../store/store.ts";
import { quarterOf } from "./counters.ts";
import type { DayRuns, End, Stats, statsQuery } from "./schema.ts";
import { readSeenDays } from "./seen_days.ts";

/**
 * Returns the tasks that the actor sees of each UTC day of a project or one of its templates,
 * oldest day first.
 */
export async function readStats(
  scope: ProjectScope,
  query: z.output<typeof statsQuery>,
  templateId = 0,
): Promise<Stats> {
  const { deps: { kv }, projectId } = scope;
  if (templateId > 0) {
    await requireRow(kv, "templates", projectId, templateId);
    await requireSeen(scope, "templates", templateId);
  }
  const days = await readSeenDays(scope, query, templateId);
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
 * as in the history's filter. People who do not see all of them get those of UTC days, because
 * quarters of an hour are not counted by template and person.
 */
export async function readDays(scope: ProjectScope, timeZone: string): Promise<DayRuns[]> {
  const { deps: { kv, clock }, projectId } = scope;
  const sight = await sightOf(scope);
  const today = Temporal.Instant.fromEpochMilliseconds(clock.now().getTime())
    .toZonedDateTimeISO(timeZone).toPlainDate();
  const name = `days until ${today} in ${timeZone} of ${projectId} ${sight.readers}`;
  return await cachedWhile(
    kv,
    [rowKeys.tasksWake(), ...sightStamps(projectId)],
    name,
    () => sight.seesAll ? countDays(kv, projectId, today, timeZone) : countSeenDays(scope, today),
  );
}

async function countSeenDays(scope: ProjectScope, today: Temporal.PlainDate): Promise<DayRuns[]> {
  const dates = Array.from({ length: DAYS }, (_, n) => `${today.subtract({ days: DAYS - 1 - n })}`);
  const found = await readSeenDays(scope, { start: dates[0], end: `${today.add({ days: 1 })}` }, 0);
  const counts = new Map(found.map((day) => [day.date, day.counts]));
  return dates.map((day) => ({
    day,
    counts: { success: 0, error: 0, stopped: 0, ...counts.get(day) },
  }));
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
