import { toString as tell } from "cronstrue";
import type { Language } from "./catalogs.ts";

/** What cronstrue calls languages that it has several of. */
const LOCALES: Record<Language, string | undefined> = {
  "pt": "pt_PT",
  "pt-br": "pt_BR",
  "zh-cn": "zh_CN",
  "zh-tw": "zh_TW",
};

/**
 * A cron pattern (five fields, or `@hourly` and its kind) in a sentence of a language, such as "At
 * 2:30 AM, only on Monday"; null for what it has no words for.
 */
export function cronWords(language: Language, pattern: string): string | null {
  const { hourCycle } = new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions();
  // In other languages that count to twelve cronstrue says "AM" all the same.
  const use24HourTimeFormat = hourCycle !== "h12" || !language.startsWith("en");
  try {
    return tell(pattern, {
      locale: LOCALES[language] ?? language,
      use24HourTimeFormat,
      trimHoursLeadingZero: !use24HourTimeFormat,
    });
  } catch {
    return null;
  }
}
