import type { Language } from "./catalogs.ts";
import { localeOf } from "./locale.ts";

/** How a language writes times, numbers, and how long something took. */
interface Formats {
  relative: Intl.RelativeTimeFormat;
  dateTime: Intl.DateTimeFormat;
  minute: Intl.DateTimeFormat;
  /** Of a date without a zone. */
  day: Intl.DateTimeFormat;
  clock: Intl.DateTimeFormat;
  numbers: Intl.NumberFormat;
  percent: Intl.NumberFormat;
  /** Numbers in sentences whose parameter is called so, with their unit in full. */
  quantities: Record<string, Intl.NumberFormat | undefined>;
  list: Intl.ListFormat;
  units: Record<"day" | "hour" | "minute" | "second", Intl.NumberFormat>;
  /** Of seconds. */
  hundredths: Intl.NumberFormat;
  tenths: Intl.NumberFormat;
}

/** Formats are slow to make and never change: one set a language and zone. */
const made = new Map<string, Formats>();
/** There are some thousand sets that nobody needs at once, and a browser may name any zone. */
const MADE_MAX = 100;

/** The formats of a language, in a time zone. */
export function formatsOf(language: Language, timeZone: string): Formats {
  const name = `${language} ${timeZone}`;
  const formats = made.get(name) ?? makeFormats(localeOf(language), timeZone);
  // The one that was longest not asked for is the first.
  made.delete(name);
  made.set(name, formats);
  if (made.size > MADE_MAX) made.delete(made.keys().next().value!);
  return formats;
}

function makeFormats(language: string, timeZone: string): Formats {
  const unit = (name: string, unitDisplay: "narrow" | "long" = "narrow", digits?: number) =>
    new Intl.NumberFormat(language, {
      style: "unit",
      unit: name,
      unitDisplay,
      maximumFractionDigits: digits,
    });
  const time = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone, ...options });
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
    relative: relativeFormat(language),
    dateTime: time({ dateStyle: "medium", timeStyle: "long" }),
    minute: time(toMinute),
    day: time({ dateStyle: "medium", timeZone: "UTC" }),
    clock: time({ ...twoDigits, hourCycle: "h23" }),
    numbers: new Intl.NumberFormat(language),
    percent: new Intl.NumberFormat(language, { style: "percent" }),
    quantities: { seconds: unit("second", "long"), bytes: unit("byte", "long") },
    list: new Intl.ListFormat(language, { type: "conjunction", style: "narrow" }),
    units: { day: unit("day"), hour: unit("hour"), minute: unit("minute"), second: unit("second") },
    hundredths: unit("second", "narrow", 2),
    tenths: unit("second", "narrow", 1),
  };
}

/** As short as words are: the narrow "-3 h" and "wcz." of some languages are no sentence's part. */
function relativeFormat(language: string): Intl.RelativeTimeFormat {
  const narrow = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "narrow" });
  return narrow.format(-3, "hour").startsWith("-") || narrow.format(-1, "day").endsWith(".")
    ? new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" })
    : narrow;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "3m ago"; `now` in milliseconds. */
export function relativeTime({ relative: format }: Formats, iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  const step = STEPS.find(([, size]) => Math.abs(ms) >= size);
  return step
    ? format.format(Math.trunc(ms / step[1]), step[0])
    : format.format(Math.trunc(ms / 1000), "second");
}

/** The two largest units of so many milliseconds: "1h 5m". */
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
  // A blank, as in a table: lists of some languages have an "and" there, and no room.
  return shown.map(([unit, count]) => units[unit].format(count)).join(" ");
}

/** As `durationText`, and exact to a part of a second where there are few. */
export function exactDurationText(formats: Formats, ms: number): string {
  if (ms >= 60_000) return durationText(formats, ms);
  return (ms < 10_000 ? formats.hundredths : formats.tenths).format(Math.max(0, ms) / 1000);
}

/** A number of a sentence, with the unit that its parameter is called by. An id's digits stand together. */
export const numberText = ({ numbers, quantities }: Formats, name: string, value: number): string =>
  name === "id" ? String(value) : (quantities[name] ?? numbers).format(value);
