import { Cron, CronPattern } from "croner";
import { AppError, invalidField } from "../../base/errors.ts";
import { momentOf, zonedPattern } from "./zone.ts";

/** Times of a schedule: by the calendar of a time zone, or at a fixed interval. */
export type Timetable =
  | { kind: "cron"; cron: Cron; moved?: Moved }
  | { kind: "every"; intervalMs: number };

/** Days by which each time is moved, in its zone. The cron format itself is that of UTC then. */
interface Moved {
  days: number;
  zone: string;
}

/** Shorter intervals would only fill the queue. */
const INTERVAL_MS_MIN = 10_000;
const INTERVAL_MS_MAX = 366 * 24 * 3_600_000;
/** Passed times are counted up to this number. A longer downtime is reported as "1000". */
const COUNT_MAX = 1_000;

const UNIT_MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  "µs": 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
const NICKNAMES = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/i;

const AS_CRON = {
  mode: "5-part",
  // A fixed time that a clock change skips or repeats is used once that day.
  fixedTimeRule: "no-wildcard",
  sloppyRanges: true,
} as const;

/** Names that are known to be time zones. Asking takes longer than all else of a schedule. */
const zones = new Set<string>();

/** Whether `name` is a time zone of the tz database, such as "Europe/Berlin". */
export function isTimeZone(name: string): boolean {
  if (zones.has(name)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    zones.add(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses five fields, a nickname such as `@hourly`, or `@every 1h30m`. A prefix `TZ=` or `CRON_TZ=`
 * overrides `timezone`. Each time is moved by `days`, at the same time of day. Throws 400 with a
 * sentence that begins with "Cron:".
 */
export function parseCron(format: string, timezone: string | null, days = 0): Timetable {
  const { zone, pattern } = zonedPattern(format, timezone);
  if (!isTimeZone(zone)) throw invalidCron("errors.cron.timezone", { zone: zone.slice(0, 60) });
  if (/^@every\s/i.test(pattern)) {
    if (days !== 0) throw invalidField("offset_days", "errors.cron.offset_every");
    return parseEvery(pattern);
  }
  if (!NICKNAMES.test(pattern) && pattern.split(/\s+/).length !== 5) {
    throw invalidCron("errors.cron.fields");
  }
  try {
    const cron = new Cron(pattern, { timezone: days === 0 ? zone : "UTC", ...AS_CRON });
    if (cron.nextRun() === null) throw invalidCron("errors.cron.never");
    return { kind: "cron", cron, ...days !== 0 && { moved: { days, zone } } };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidCron("errors.cron.syntax", { detail: unreadablePart(pattern).slice(0, 60) });
  }
}

/** The first invalid field, or the whole pattern if each field is valid by itself. */
const unreadablePart = (pattern: string): string =>
  pattern.split(/\s+/).find((field, index) => {
    const alone = ["*", "*", "*", "*", "*"].with(index, field).join(" ");
    try {
      new CronPattern(alone, undefined, AS_CRON);
      return false;
    } catch {
      return true;
    }
  }) ?? pattern;

function parseEvery(pattern: string): Timetable {
  const text = pattern.slice("@every".length).trim();
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) throw invalidCron("errors.cron.every");
  const parts = text.matchAll(/(?<![\d.])([\d.]+)(ns|us|µs|ms|s|m|h)/g);
  const intervalMs = Math.round(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit], 0),
  );
  if (intervalMs < INTERVAL_MS_MIN || intervalMs > INTERVAL_MS_MAX) {
    throw invalidCron("errors.cron.every_limits");
  }
  return { kind: "every", intervalMs };
}

const invalidCron = (key: string, params?: Record<string, string | number>) =>
  invalidField("cron_format", key, params);

/** The first time after `after`, or null if there is none. */
export function nextRun(timetable: Timetable, after: Date): Date | null {
  if (timetable.kind === "every") return new Date(after.getTime() + timetable.intervalMs);
  const { cron, moved } = timetable;
  return moved ? nextMoved(cron, moved, after) : cron.nextRun(after);
}

/**
 * The first moved time after `after`. Times are found on a clock that is never changed, and then
 * placed in the zone. A change of its clocks can bring times near it into another order.
 */
function nextMoved(cron: Cron, { days, zone }: Moved, after: Date): Date | null {
  const from = Date.parse(`${clockAt(after, zone)}Z`) - CLOCK_CHANGE_MS_MAX;
  let next: Date | null = null;
  let lastWall = Infinity;
  let run = cron.nextRun(new Date(from - days * DAY_MS));
  for (; run !== null; run = cron.nextRun(run)) {
    const wall = run.getTime() + days * DAY_MS;
    if (wall > lastWall) break;
    const at = placed(wall, zone);
    if (at > after && (next === null || at < next)) {
      next = at;
      lastWall = wall + CLOCK_CHANGE_MS_MAX;
    }
  }
  return next;
}

const DAY_MS = 24 * 3_600_000;

/** Date and time that clocks of `zone` show at a moment. */
const clockAt = (at: Date, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime()
    .toString();

/** The moment at which clocks of `zone` show what those of UTC show at `wall`. */
const placed = (wall: number, zone: string): Date =>
  new Date(momentOf(new Date(wall).toISOString().slice(0, -1), zone)!);

/** The next `count` times after `after`, or as many as exist. */
export function nextRuns(timetable: Timetable, after: Date, count: number): Date[] {
  const runs: Date[] = [];
  for (let at: Date | null = after; runs.length < count; runs.push(at)) {
    at = nextRun(timetable, at);
    if (!at) break;
  }
  return runs;
}

/** Longer than any seasonal clock change. A larger step back is a correction. */
const CLOCK_CHANGE_MS_MAX = 3 * 3_600_000;

/**
 * Returns the next time after the clock was set back to `now`, for a schedule planned at `planned`.
 * As in cron, a fixed time that is repeated is not used again, and others continue from now.
 */
export function nextAfterSetBack(timetable: Timetable, planned: Date, now: Date): Date | null {
  const repeatedUntil = isFixedTime(timetable)
    ? now.getTime() + CLOCK_CHANGE_MS_MAX
    : now.getTime();
  const next = nextRun(timetable, new Date(repeatedUntil));
  return next !== null && next < planned ? nextRun(timetable, now) : planned;
}

/** Whether hour and minute are fixed, without "*". */
function isFixedTime(timetable: Timetable): boolean {
  if (timetable.kind === "every") return false;
  const pattern = timetable.cron.getPattern() ?? "";
  if (pattern.startsWith("@")) return !/^@hourly$/i.test(pattern);
  return !pattern.split(/\s+/).slice(0, 2).some((field) => field.includes("*"));
}

/**
 * Number of times from `due`, which is one of them, up to `now`, and the first time after `now`.
 */
export function passedRuns(
  timetable: Timetable,
  due: Date,
  now: Date,
): { count: number; next: Date | null } {
  if (timetable.kind === "every") {
    const { intervalMs } = timetable;
    const count = Math.floor((now.getTime() - due.getTime()) / intervalMs) + 1;
    return { count, next: new Date(due.getTime() + count * intervalMs) };
  }
  const latest = now > due ? now : due; // a clock that was set back must not repeat a time
  let count = 1;
  let run = nextRun(timetable, due);
  while (run !== null && run <= latest && count < COUNT_MAX) {
    count++;
    run = nextRun(timetable, run);
  }
  return { count, next: nextRun(timetable, latest) };
}
