import type { SentenceParams } from "../base/errors.ts";
import { type NamePerson, plainName, type RecordedPerson } from "../base/person.ts";
import type { SentenceOrText } from "../base/sentence_or_text.ts";
import type { Language } from "./catalogs.ts";
import { durationText, exactDurationText, formatsOf, numberText, relativeTime } from "./formats.ts";
import { localeOf } from "./locale.ts";
import { tell } from "./tell.ts";

export type Theme = "light" | "dark" | "system";

/** Formats and texts for a page: passed to components as `ui`, and created anew in islands. */
export interface Ui {
  language: Language;
  /** The `Intl` tag for dates and numbers, such as "en-GB" for the language "en". */
  locale: string;
  theme: Theme;
  /** The reader's time zone, in which all times are shown. */
  timeZone: string;
  /** Returns the sentence of a locale key, with `params` filled in. */
  t(key: string, params?: SentenceParams): string;
  /** Returns a label with its value, such as "Status: Failed". */
  labelled(label: string, value: string): string;
  /** Returns the text of a view, a form or an error, in the reader's language. */
  tell(message: SentenceOrText): string;
  /**
   * Returns the name of a person, with the username where others have that name or had it. In
   * islands it is only the name, so they get the text from the server.
   */
  person(person: RecordedPerson): string;
  /**
   * Returns a path of the application as the browser must request it, with the sub-path in front.
   */
  href(path: string): string;
  /** Returns a time such as "3m ago", for `<time>`; `now` is in milliseconds. */
  relativeTime(iso: string, now?: number): string;
  /** Returns date and time to the second. */
  dateTime(iso: string): string;
  /**
   * Returns a planned time with its weekday, to the minute. The default for `zone` is the reader's.
   */
  minute(iso: string, zone?: string): string;
  /** Formats a day such as "2026-03-01": "Mar 1, 2026". */
  day(date: string): string;
  /** Returns the time of day for a log, to the second and of constant width: "08:40:55". */
  clock(iso: string): string;
  /** Returns date and time to the second, also in UTC. Used for titles. */
  exact(iso: string): string;
  /** Returns a duration to the second: "1h 5m", "42s". */
  duration(ms: number): string;
  /** Returns a duration that is often short: "0.35s", "12.3s", "1h 5m". */
  exactDuration(ms: number): string;
  /** Formats a number ("1,024"), and a size with its unit ("1,024 bytes"). */
  number(value: number): string;
  bytes(value: number): string;
  /** Returns a number of bytes as megabytes, rounded up: "12 MB". */
  megabytes(bytes: number): string;
  /** Joins texts: "a, b, c". */
  list(texts: readonly string[]): string;
  /** Joins texts in a sentence: "a, b, and c". */
  series(texts: readonly string[]): string;
  /** Formats a fraction of 1: "92%". */
  percent(part: number): string;
}

interface UiOptions {
  language: Language;
  /** Defaults to the locale of the language. */
  locale?: string;
  theme: Theme;
  basePath: string;
  /** One of `timeZones`. */
  timeZone?: string;
  t: Ui["t"];
  /** Defaults to the name alone. */
  person?: NamePerson;
}

/** Creates the formats of a language and time zone. Works both on the server and in islands. */
export function createUi(options: UiOptions): Ui {
  const {
    language,
    locale = localeOf(language),
    theme,
    basePath,
    timeZone = "UTC",
    t,
    person = plainName,
  } = options;
  const formats = formatsOf(locale, timeZone);
  const dateTime = (iso: string) => formats.dateTime.format(new Date(iso));
  return {
    language,
    locale,
    theme,
    timeZone,
    t,
    labelled: (label, value) => t("lists.labelled", { label, value }),
    tell: (message) => tell(message, t),
    person,
    href: (path) => basePath + path,
    relativeTime: (iso, now = Date.now()) => relativeTime(formats, iso, now),
    dateTime,
    minute: (iso, zone = timeZone) => formatsOf(locale, zone).minute.format(new Date(iso)),
    day: (date) => formats.day.format(new Date(date)),
    clock: (iso) => formats.clock.format(new Date(iso)),
    exact: (iso) => timeZone === "UTC" ? dateTime(iso) : `${dateTime(iso)} · ${utcText(iso)}`,
    number: (value) => formats.numbers.format(value),
    list: (texts) => formats.list.format(texts),
    series: (texts) => formats.series.format(texts),
    percent: (part) => formats.percent.format(part),
    bytes: (value) => numberText(formats, "bytes", value),
    megabytes: (bytes) => numberText(formats, "megabytes", Math.ceil(bytes / 1_000_000)),
    duration: (ms) => durationText(formats, ms),
    exactDuration: (ms) => exactDurationText(formats, ms),
  };
}

/** Formats a time of JSON in UTC: "2024-05-02 10:11:12 UTC". */
export function utcText(iso: string): string {
  const text = new Date(iso).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}
