type Key = Deno.KvKey;

/**
 * Rows of runners, which run tasks elsewhere.
 *
 * | key | value | why |
 * |---|---|---|
 * | runners, runner | RunnerRow | runners of projects and of the server; its project is in its value |
 * | runner_sessions, runner | RunnerSession | the newest process of a runner: an older one must end |
 * | runners_seen, runner | time in ms | written apart from the session for all runners at once, without a check |
 * | runner_tokens, token | RunnerTokenRow | reusable registration tokens |
 * | runners_stamp | any | changes with each change of a runner; checked by new ones, because their number is limited |
 */
export const runnerKeys = {
  runner: (id: number): Key => ["runners", id],
  runners: (): Key => ["runners"],
  runnerSession: (id: number): Key => ["runner_sessions", id],
  runnerSessions: (): Key => ["runner_sessions"],
  runnerSeen: (id: number): Key => ["runners_seen", id],
  runnersSeen: (): Key => ["runners_seen"],
  runnerToken: (id: number): Key => ["runner_tokens", id],
  runnerTokens: (): Key => ["runner_tokens"],
  runnersStamp: (): Key => ["runners_stamp"],
};
