import { toString as describe } from "cronstrue";
import type { Language } from "./catalogs.ts";
import { correctCronWords } from "./cron_corrections.ts";
import type { Ui } from "./ui.ts";

/** Names that cronstrue uses for languages with several variants. */
const LOCALES: Record<Language, string | undefined> = {
  "pt": "pt_PT",
  "pt-br": "pt_BR",
  "zh-cn": "zh_CN",
  "zh-tw": "zh_TW",
};

/** Descriptions by locale and pattern, because a list sorts and shows hundreds of schedules. */
const known = new Map<string, string | null>();
const KNOWN_MAX = 5_000;

/**
 * Describes a cron pattern (five fields, or `@hourly` and its kind) in the reader's language, such
 * as "At 2:30 AM, only on Monday". Returns null for a pattern that cannot be described.
 */
export function cronWords(
  { language, locale }: Pick<Ui, "language" | "locale">,
  pattern: string,
): string | null {
  const key = `${language} ${locale} ${pattern}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const words = wordsOf(language, locale, pattern);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, words);
  return words;
}

function wordsOf(language: Language, locale: string, pattern: string): string | null {
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  // cronstrue writes "AM" and "PM" in all languages.
  const use24HourTimeFormat = hourCycle !== "h12" || language !== "en";
  try {
    const words = describe(pattern, {
      locale: LOCALES[language] ?? language,
      use24HourTimeFormat,
      trimHoursLeadingZero: !use24HourTimeFormat,
    });
    return correctCronWords(language, words);
  } catch {
    return null;
  }
}
