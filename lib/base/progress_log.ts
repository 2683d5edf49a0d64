import type { Log } from "./log.ts";

/** Interval between two lines in milliseconds. */
const TELL_MS = 5_000;

/** Returns a function that logs the state of work that takes long, at intervals. */
export function progressLog(log: Log, event: string): (state: object) => void {
  let loggedAt = performance.now();
  return (state) => {
    if (performance.now() - loggedAt < TELL_MS) return;
    loggedAt = performance.now();
    log("info", event, { ...state });
  };
}
