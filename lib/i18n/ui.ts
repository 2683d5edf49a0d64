import type { Sentence } from "../base/errors.ts";
import type { Language } from "./languages.ts";

export type Theme = "light" | "dark" | "system";

/** What a page needs to speak: passed to components as `ui`, and made anew in islands. */
export interface Ui {
  language: Language;
  theme: Theme;
  /** The reader's, in which all times are told. */
  timeZone: string;
  /** The sentence of a locale key, with `params` filled in. */
  t(key: string, params?: Sentence["params"]): string;
  /** A path of the application as the browser must ask for it, with the sub-path in front. */
  href(path: string): string;
  /** "3m ago", for `<time>`; `now` in milliseconds. */
  relativeTime(iso: string, now?: number): string;
  /** Date and time to the second. */
  dateTime(iso: string): string;
  /** A planned time, to the minute, with its day of the week; in another `zone` than the reader's. */
  minute(iso: string, zone?: string): string;
  /** The time of day in a log, exact to the second and of one width: "08:40:55". */
  clock(iso: string): string;
  /** Date and time to the second, and the same in UTC: for titles. */
  exact(iso: string): string;
  /** "1 h 5 m", "42 s": exact to the second. */
  duration(ms: number): string;
}

interface UiOptions {
  language: Language;
  theme: Theme;
  basePath: string;
  /** One of `timeZones`. */
  timeZone?: string;
  t: Ui["t"];
}

/** Makes the formats of a language and zone. Works on the server and in islands alike. */
export function createUi({ language, theme, basePath, timeZone = "UTC", t }: UiOptions): Ui {
  const formats = formatsOf(language, timeZone);
  const dateTime = (iso: string) => formats.dateTime.format(new Date(iso));
  return {
    language,
    theme,
    timeZone,
    t,
    href: (path) => basePath + path,
    relativeTime: (iso, now = Date.now()) => relativeTime(formats.relative, iso, now),
    dateTime,
    minute: (iso, zone = timeZone) => formatsOf(language, zone).minute.format(new Date(iso)),
    clock: (iso) => formats.clock.format(new Date(iso)),
    exact: (iso) => timeZone === "UTC" ? dateTime(iso) : `${dateTime(iso)} · ${utcText(iso)}`,
    duration: (ms) => duration(formats, ms),
  };
}

/** "2024-05-02 10:11:12 UTC", of a time as JSON has it. */
export function utcText(iso: string): string {
  const text = new Date(iso).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}

interface Formats {
  relative: Intl.RelativeTimeFormat;
  dateTime: Intl.DateTimeFormat;
  minute: Intl.DateTimeFormat;
  clock: Intl.DateTimeFormat;
  units: Record<"day" | "hour" | "minute" | "second", Intl.NumberFormat>;
}

/** Formats are slow to make and never change: one set a language and zone. */
const made = new Map<string, Formats>();
/** There are some thousand sets that nobody needs at once, and a browser may name any zone. */
const MADE_MAX = 100;

function formatsOf(language: Language, timeZone: string): Formats {
  const name = `${language} ${timeZone}`;
  const formats = made.get(name) ?? makeFormats(language, timeZone);
  // The one that was longest not asked for is the first.
  made.delete(name);
  made.set(name, formats);
  if (made.size > MADE_MAX) made.delete(made.keys().next().value!);
  return formats;
}

function makeFormats(language: Language, timeZone: string): Formats {
  const unit = (name: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "narrow" });
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
    relative: new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "narrow" }),
    dateTime: time({ dateStyle: "medium", timeStyle: "long" }),
    minute: time(toMinute),
    clock: time({ ...twoDigits, hourCycle: "h23" }),
    units: { day: unit("day"), hour: unit("hour"), minute: unit("minute"), second: unit("second") },
  };
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

function relativeTime(format: Intl.RelativeTimeFormat, iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  const step = STEPS.find(([, size]) => Math.abs(ms) >= size);
  return step
    ? format.format(Math.trunc(ms / step[1]), step[0])
    : format.format(Math.trunc(ms / 1000), "second");
}

function duration({ units }: Formats, ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts: [keyof Formats["units"], number][] = [
    ["day", Math.floor(seconds / 86_400)],
    ["hour", Math.floor(seconds / 3600) % 24],
    ["minute", Math.floor(seconds / 60) % 60],
    ["second", seconds % 60],
  ];
  const shown = parts.filter(([, count]) => count > 0).slice(0, 2);
  if (shown.length === 0) shown.push(["second", 0]);
  return shown.map(([unit, count]) => units[unit].format(count)).join(" ");
}
