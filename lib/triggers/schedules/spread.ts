const HOUR = 60;
const DAY = 24 * HOUR;

/** Minutes of the periods of nicknames. Each month has 28 days. */
const PERIODS: Record<string, number> = {
  "@hourly": HOUR,
  "@daily": DAY,
  "@weekly": 7 * DAY,
  "@monthly": 28 * DAY,
};

/**
 * Returns the times of a template's checks in a cron format that names a period, but no time in it:
 * a nickname, or `@every` with a part of an hour or a day. The template chooses the time in the
 * period, so that the checks of many templates do not begin together. Other formats stay as they
 * are.
 */
export function spreadTimes(format: string, templateId: number): string {
  const [, zone = "", times = ""] = /^((?:CRON_)?TZ=\S+\s+)?(@.+)$/i.exec(format.trim()) ?? [];
  const name = times.toLowerCase();
  const period = PERIODS[name] ?? minutesOf(name);
  if (!period) return format;
  const at = Math.floor((templateId * GOLDEN % 1) * period);
  const [minute, hour, day] = [at % HOUR, Math.floor(at / HOUR) % 24, Math.floor(at / DAY)];
  if (period <= HOUR) return `${zone}${each(minute, period, HOUR)} * * * *`;
  if (period <= DAY) return `${zone}${minute} ${each(hour, period / HOUR, 24)} * * *`;
  return `${zone}${minute} ${hour} ${period === 7 * DAY ? `* * ${day}` : `${day + 1} * *`}`;
}

/** The golden ratio spreads any number of successive ids evenly over a period. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Returns the minutes of an interval that is a part of an hour or a day; 0 for any other one. */
function minutesOf(name: string): number {
  const [, number, unit] = /^@every\s+(\d{1,4})([hm])$/.exec(name) ?? [];
  const minutes = Number(number ?? 0) * (unit === "h" ? HOUR : 1);
  const isPart = minutes <= HOUR ? HOUR % minutes === 0 : minutes % HOUR + DAY % minutes === 0;
  return isPart ? minutes : 0;
}

/** Returns the values of a field from `first` on, `step` apart. */
const each = (first: number, step: number, end: number): string =>
  Array.from({ length: Math.ceil((end - first) / step) }, (_, n) => first + n * step).join();
