/** When providers last spoke of an account that has something by what they said. */
export interface RuleWordsRow {
  /** The oldest of their words, in milliseconds; 0 asks to look whether any of them still counts. */
  since: number;
  /** When that was last looked at. */
  looked: number;
}

const DAY_MS = 86_400_000;

/** Whether a provider's word of `at` still counts after `days`; 0 days are for ever. */
export const isRecentWord = (at: number, now: Date, days: number): boolean =>
  days === 0 || now.getTime() - at <= days * DAY_MS;

/** Whether what rules gave has to be looked at: once a day, since the last admin keeps it. */
export const mustLookAtRules = (row: RuleWordsRow | null, now: Date, days: number): boolean =>
  row !== null && Math.abs(now.getTime() - row.looked) > DAY_MS &&
  (row.since === 0 || !isRecentWord(row.since, now, days));
