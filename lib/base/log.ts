import { createTally } from "./tally.ts";

type Level = "debug" | "info" | "warn" | "error";

/** Writes each event as one line of JSON. Fields must not hold secrets. */
export interface Log {
  (level: Level, event: string, fields?: Record<string, unknown>): void;
}

const encoder = new TextEncoder();

/** Lines that standard error did not take: its disk is full, or its reader is gone. */
export const lostLines = createTally(() => performance.now());

/** A log on standard error. A line that cannot be written is counted, because tasks must go on. */
export const stderrLog: Log = (level, event, fields = {}) => {
  const line = { time: new Date().toISOString(), level, event, ...fields };
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
