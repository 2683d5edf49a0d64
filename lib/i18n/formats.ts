/** Formats of times, numbers and durations in one language. */
interface Formats {
  relative: Intl.RelativeTimeFormat;
  /** For months and years. Their short forms mean minutes or end a sentence in some languages. */
  relativeLong: Intl.RelativeTimeFormat;
  dateTime: Intl.DateTimeFormat;
  minute: Intl.DateTimeFormat;
  /** For a date without a time zone. */
  day: Intl.DateTimeFormat;
  clock: Intl.DateTimeFormat;
  numbers: Intl.NumberFormat;
  percent: Intl.NumberFormat;
  /** Numbers with their unit in full, by the name of a sentence's parameter. */
  quantities: Record<string, Pick<Intl.NumberFormat, "format"> | undefined>;
  list: Intl.ListFormat;
  series: Intl.ListFormat;
  units: Record<"day" | "hour" | "minute" | "second", Intl.NumberFormat>;
  /** For seconds. */
  hundredths: Intl.NumberFormat;
  tenths: Intl.NumberFormat;
}

/** Formats are slow to create and never change, so there is one set per language and time zone. */
const made = new Map<string, Formats>();
/**
 * A browser may name any of some hundred time zones, so the least recently used formats are
 * dropped.
 */
const MADE_MAX = 100;

/** Returns the formats of a locale (an `Intl` tag) in a time zone. */
export function formatsOf(locale: string, timeZone: string): Formats {
  const name = `${locale} ${timeZone}`;
  const formats = made.get(name) ?? makeFormats(locale, timeZone);
  // The first entry is the least recently used one.
  made.delete(name);
  made.set(name, formats);
  if (made.size > MADE_MAX) made.delete(made.keys().next().value!);
  return formats;
}

/** Languages whose narrow units mix letters and words in one text, such as "2 T 1 Std. 5 Min.". */
const SHORT_UNITS = /^(de|it|nl)\b/;

function makeFormats(language: string, timeZone: string): Formats {
  const display = SHORT_UNITS.test(language) ? "short" : "narrow";
  const unit = (
    name: string,
    unitDisplay: "narrow" | "short" | "long" = display,
    digits?: number,
  ) =>
    new Intl.NumberFormat(language, {
      style: "unit",
      unit: name,
      unitDisplay,
      maximumFractionDigits: digits,
    });
  const time = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone, ...options });
  const relative = (style: "narrow" | "short" | "long") =>
    new Intl.RelativeTimeFormat(language, { numeric: "auto", style });
  const twoDigits = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
  const toMinute = {
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  } as const;
  return {
    // English is unambiguous when narrow ("3m ago"); other languages write "vor 3 m" or "-3 h".
    relative: relative(/^en\b/.test(language) ? "narrow" : "short"),
    relativeLong: relative("long"),
    dateTime: time({ dateStyle: "medium", timeStyle: "long" }),
    minute: time(toMinute),
    day: time({ dateStyle: "medium", timeZone: "UTC" }),
    clock: time({ ...twoDigits, hourCycle: "h23" }),
    numbers: new Intl.NumberFormat(language),
    percent: new Intl.NumberFormat(language, { style: "percent" }),
    quantities: {
      seconds: unit("second", "long"),
      bytes: bytesFormat(language) ?? unit("byte", "long"),
      megabytes: megabytesFormat(unit("megabyte", "short"), unit("gigabyte", "short", 0)),
    },
    list: new Intl.ListFormat(language, { type: "conjunction", style: "narrow" }),
    series: new Intl.ListFormat(language, { type: "conjunction" }),
    units: { day: unit("day"), hour: unit("hour"), minute: unit("minute"), second: unit("second") },
    hundredths: unit("second", display, 2),
    tenths: unit("second", display, 1),
  };
}

/** `Intl` writes "byte" for Chinese in Taiwan, but the sentences around it use 位元組. */
function bytesFormat(language: string): Pick<Intl.NumberFormat, "format"> | null {
  if (language !== "zh-tw") return null;
  const numbers = new Intl.NumberFormat(language);
  return { format: (value) => `${numbers.format(value)} 位元組` };
}

/** Shows more than 10,000 megabytes in gigabytes. */
const megabytesFormat = (mega: Intl.NumberFormat, giga: Intl.NumberFormat) => ({
  format: (value: number) => value < 10_000 ? mega.format(value) : giga.format(value / 1000),
});

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** Returns a time such as "3m ago"; `now` is in milliseconds. */
export function relativeTime(formats: Formats, iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  const [unit, size] = STEPS.find(([, size]) => Math.abs(ms) >= size) ?? ["second", 1000];
  const isLong = unit === "year" || unit === "month";
  return formats[isLong ? "relativeLong" : "relative"].format(Math.trunc(ms / size), unit);
}

/** Returns a duration in its two largest units: "1h 5m". */
export function durationText({ units }: Formats, ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts: [keyof Formats["units"], number][] = [
    ["day", Math.floor(seconds / 86_400)],
    ["hour", Math.floor(seconds / 3600) % 24],
    ["minute", Math.floor(seconds / 60) % 60],
    ["second", seconds % 60],
  ];
  const shown = parts.filter(([, count]) => count > 0).slice(0, 2);
  if (shown.length === 0) shown.push(["second", 0]);
  // A space, as in a table. Lists of some languages have an "and", which does not fit.
  return shown.map(([unit, count]) => units[unit].format(count)).join(" ");
}

/** Like `durationText`, but with fractions of a second below one minute. */
export function exactDurationText(formats: Formats, ms: number): string {
  if (ms >= 60_000) return durationText(formats, ms);
  return (ms < 10_000 ? formats.hundredths : formats.tenths).format(Math.max(0, ms) / 1000);
}

/**
 * Formats a number of a sentence, with the unit that its parameter is named after. An id has no
 * separators.
 */
export const numberText = ({ numbers, quantities }: Formats, name: string, value: number): string =>
  name === "id" ? String(value) : (quantities[name] ?? numbers).format(value);
