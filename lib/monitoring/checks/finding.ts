import type { SentenceParams } from "../../base/errors.ts";
import type { SentenceOrText } from "../../base/sentence_or_text.ts";

/** The best level first. */
export const LEVELS = ["ok", "warning", "failed"] as const;
export type Level = typeof LEVELS[number];

/** One line of a report. */
export interface Finding {
  level: Level;
  found: SentenceOrText;
  /** Advice; null if there is nothing to do. */
  next: SentenceOrText | null;
}

/** Returns a finding without anything to do. */
export const fine = (key: string, params?: SentenceParams): Finding => ({
  level: "ok",
  found: { key, params },
  next: null,
});

/** Returns a finding of two sentences, `<key>.found` and `<key>.next`, with the same parameters. */
export const problem = (level: Level, key: string, params?: SentenceParams): Finding => ({
  level,
  found: { key: `${key}.found`, params },
  next: { key: `${key}.next`, params },
});

/** Returns a problem with a sentence of `health`, whose advice is that of the same name. */
export const healthProblem = (
  level: Level,
  key: string,
  params?: SentenceParams,
  remedy = `admin.remedy.${key}`,
): Finding => ({ level, found: { key: `health.${key}`, params }, next: { key: remedy } });

/** Returns the worst level of findings; `ok` if there are none. */
export const worstLevel = (findings: readonly { level: Level }[]): Level =>
  LEVELS[Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)))];
