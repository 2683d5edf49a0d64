/** Times of the providers' last statements about an account that has rights from group rules. */
export interface RuleWordsRow {
  /**
   * Time of the oldest statement, in milliseconds; 0 requests a check whether each still counts.
   */
  since: number;
  /** Time of the last check, in milliseconds. */
  looked: number;
}

const DAY_MS = 86_400_000;

/** Whether a provider's statement from `at` still counts after `days`; 0 days means forever. */
export const isRecentWord = (at: number, now: Date, days: number): boolean =>
  days === 0 || now.getTime() - at <= days * DAY_MS;

/**
 * Whether the rights from group rules must be checked. At most once a day, because a last admin
 * keeps expired rights.
 */
export const mustCheckRules = (row: RuleWordsRow | null, now: Date, days: number): boolean =>
  row !== null && Math.abs(now.getTime() - row.looked) > DAY_MS &&
  (row.since === 0 || !isRecentWord(row.since, now, days));
