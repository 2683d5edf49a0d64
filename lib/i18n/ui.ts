import type { Sentence } from "../base/errors.ts";
import type { Language } from "./languages.ts";

export type Theme = "light" | "dark" | "system";

/** What a page needs to speak: passed to components as `ui`, and made anew in islands. */
export interface Ui {
  language: Language;
  theme: Theme;
  /** The sentence of a locale key, with `params` filled in. */
  t(key: string, params?: Sentence["params"]): string;
  /** A path of the application as the browser must ask for it, with the sub-path in front. */
  href(path: string): string;
  /** "3 minutes ago", for `<time>`; `now` in milliseconds. */
  relativeTime(iso: string, now?: number): string;
  /** Date and time in full, for titles. */
  dateTime(iso: string): string;
  /** "1 h 5 m", "42 s": exact to the second. */
  duration(ms: number): string;
}

interface UiOptions {
  language: Language;
  theme: Theme;
  basePath: string;
  t: Ui["t"];
}

/** Makes the formats of a language. Works on the server and in islands alike. */
export function createUi({ language, theme, basePath, t }: UiOptions): Ui {
  const formats = formatsOf(language);
  return {
    language,
    theme,
    t,
    href: (path) => basePath + path,
    relativeTime: (iso, now = Date.now()) => relativeTime(formats.relative, iso, now),
    dateTime: (iso) => formats.dateTime.format(new Date(iso)),
    duration: (ms) => duration(formats, ms),
  };
}

interface Formats {
  relative: Intl.RelativeTimeFormat;
  dateTime: Intl.DateTimeFormat;
  units: Record<"day" | "hour" | "minute" | "second", Intl.NumberFormat>;
}

const made = new Map<Language, Formats>();

/** Formats are slow to make and never change: one set a language. */
function formatsOf(language: Language): Formats {
  const known = made.get(language);
  if (known) return known;
  const unit = (name: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "narrow" });
  const formats: Formats = {
    relative: new Intl.RelativeTimeFormat(language, { numeric: "auto" }),
    dateTime: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "long" }),
    units: { day: unit("day"), hour: unit("hour"), minute: unit("minute"), second: unit("second") },
  };
  made.set(language, formats);
  return formats;
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
