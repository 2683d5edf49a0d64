import { AsyncLocalStorage } from "node:async_hooks";
import { createTally } from "./tally.ts";

type Level = "debug" | "info" | "warn" | "error";

/** Writes each event as one line of JSON. Fields must not hold secrets. */
export interface Log {
  (level: Level, event: string, fields?: Record<string, unknown>): void;
}

const encoder = new TextEncoder();

/** Lines that standard error did not take: its disk is full, or its reader is gone. */
export const lostLines = createTally(() => performance.now());

/** Id of the request that is being handled, also for what it has started and not awaited. */
export const requestInHand = new AsyncLocalStorage<string>();

/** Returns the id as a member of a line of the log. */
function requestMember(): { request_id?: string } {
  const id = requestInHand.getStore();
  return id === undefined ? {} : { request_id: id };
}

/** A log on standard error. A line that cannot be written is counted, because tasks must go on. */
export const stderrLog: Log = (level, event, fields = {}) => {
  const line = { time: new Date().toISOString(), level, event, ...requestMember(), ...fields };
  try {
    Deno.stderr.writeSync(encoder.encode(JSON.stringify(line) + "\n"));
  } catch {
    lostLines.add();
  }
};

/** Returns the message of an error with its cause, as fields for a log line. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return {
    error: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
