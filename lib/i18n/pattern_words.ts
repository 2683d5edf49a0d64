import { cronWords } from "./cron_words.ts";
import type { Ui } from "./ui.ts";

const UNITS: Record<string, string> = { h: "hour", m: "minute" };

/**
 * Describes the pattern of a schedule in the reader's language: a cron pattern, or "@every 6h".
 * Returns null for one that cannot be described.
 */
export function patternWords(ui: Ui, pattern: string): string | null {
  const [, interval, number, unit] = /^@every\s+((\d+)([hm])|\S+)$/i.exec(pattern) ?? [];
  if (interval === undefined) return cronWords(ui, pattern);
  if (Number(number) > 1) {
    const format = { style: "unit", unit: UNITS[unit.toLowerCase()], unitDisplay: "long" } as const;
    const named = new Intl.NumberFormat(ui.locale, format).format(Number(number));
    return ui.t("schedules.every", { interval: named });
  }
  return ui.t("schedules.every", { interval });
}
