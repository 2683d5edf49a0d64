import { describeError, type Log } from "./log.ts";
import { createTally, type Tally } from "./tally.ts";

/**
 * Logs and counts errors that no code handles, and lets the process go on. Deno would end it, and
 * with it all tasks, sockets and forms of other people.
 */
export function surviveUnhandled(log: Log, now: () => number): Tally {
  const tally = createTally(now);
  const survive = (event: Event, error: unknown) => {
    event.preventDefault();
    tally.add();
    log("error", "unexpected", describeError(error));
  };
  addEventListener("unhandledrejection", (event) => survive(event, event.reason));
  addEventListener("error", (event) => survive(event, event.error));
  return tally;
}
