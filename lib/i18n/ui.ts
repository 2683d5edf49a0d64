import type { SentenceParams } from "../base/errors.ts";
import type { Told } from "../base/told.ts";
import type { Language } from "./catalogs.ts";
import { durationText, exactDurationText, formatsOf, numberText, relativeTime } from "./formats.ts";
import { localeOf } from "./locale.ts";
import { tell } from "./tell.ts";

export type Theme = "light" | "dark" | "system";

/** What a page needs to speak: passed to components as `ui`, and made anew in islands. */
export interface Ui {
  language: Language;
  /** The `Intl` tag for dates and numbers: "en-GB" for a language of "en", for example. */
  locale: string;
  theme: Theme;
  /** The reader's, in which all times are told. */
  timeZone: string;
  /** The sentence of a locale key, with `params` filled in. */
  t(key: string, params?: SentenceParams): string;
  /** "Status: Failed". */
  labelled(label: string, value: string): string;
  /** What a view, a form or an error tells, in the reader's language. */
  tell(told: Told): string;
  /** A path of the application as the browser must ask for it, with the sub-path in front. */
  href(path: string): string;
  /** "3m ago", for `<time>`; `now` in milliseconds. */
  relativeTime(iso: string, now?: number): string;
  /** Date and time to the second. */
  dateTime(iso: string): string;
  /** A planned time, to the minute, with its day of the week; in another `zone` than the reader's. */
  minute(iso: string, zone?: string): string;
  /** A day such as "2026-03-01": "Mar 1, 2026". */
  day(date: string): string;
  /** The time of day in a log, exact to the second and of one width: "08:40:55". */
  clock(iso: string): string;
  /** Date and time to the second, and the same in UTC: for titles. */
  exact(iso: string): string;
  /** "1h 5m", "42s": exact to the second. */
  duration(ms: number): string;
  /** "0.35s", "12.3s", "1h 5m": for what is often short. */
  exactDuration(ms: number): string;
  /** "1,024", and a size with its unit: "1,024 bytes". */
  number(value: number): string;
  bytes(value: number): string;
  /** "a, b, c". */
  list(texts: readonly string[]): string;
  /** Of a part of 1: "92%". */
  percent(part: number): string;
}

interface UiOptions {
  language: Language;
  /** By default the language's own. */
  locale?: string;
  theme: Theme;
  basePath: string;
  /** One of `timeZones`. */
  timeZone?: string;
  t: Ui["t"];
}

/** Makes the formats of a language and zone. Works on the server and in islands alike. */
export function createUi(options: UiOptions): Ui {
  const { language, locale = localeOf(language), theme, basePath, timeZone = "UTC", t } = options;
  const formats = formatsOf(locale, timeZone);
  const dateTime = (iso: string) => formats.dateTime.format(new Date(iso));
  return {
    language,
    locale,
    theme,
    timeZone,
    t,
    labelled: (label, value) => t("lists.labelled", { label, value }),
    tell: (told) => tell(told, t),
    href: (path) => basePath + path,
    relativeTime: (iso, now = Date.now()) => relativeTime(formats, iso, now),
    dateTime,
    minute: (iso, zone = timeZone) => formatsOf(locale, zone).minute.format(new Date(iso)),
    day: (date) => formats.day.format(new Date(date)),
    clock: (iso) => formats.clock.format(new Date(iso)),
    exact: (iso) => timeZone === "UTC" ? dateTime(iso) : `${dateTime(iso)} · ${utcText(iso)}`,
    number: (value) => formats.numbers.format(value),
    list: (texts) => formats.list.format(texts),
    percent: (part) => formats.percent.format(part),
    bytes: (value) => numberText(formats, "bytes", value),
    duration: (ms) => durationText(formats, ms),
    exactDuration: (ms) => exactDurationText(formats, ms),
  };
}

/** "2024-05-02 10:11:12 UTC", of a time as JSON has it. */
export function utcText(iso: string): string {
  const text = new Date(iso).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}
