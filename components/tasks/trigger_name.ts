import { patternWords } from "@/lib/i18n/pattern_words.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { zonedPattern } from "@/lib/triggers/schedules/zone.ts";

/**
 * Returns the name of the trigger that started something. That of a schedule without a name is its
 * cron format, which is told in words.
 */
export const triggerName = (ui: Ui, kind: string, name: string): string =>
  (kind === "schedule" || kind === "check") && patternWords(ui, zonedPattern(name, null).pattern) ||
  name;
