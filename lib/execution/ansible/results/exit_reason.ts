import type { AppError } from "../../../base/errors.ts";
import { runError } from "../../run/context.ts";

/** Shells add this to the number of the signal that killed a command. */
const SIGNALS = 128;
const SIGNALS_MAX = 64;
const KILL = 9;

/**
 * Returns why Ansible has ended: it was killed, or it reported an error. Null if nothing says why.
 */
export function exitReason(exitCode: number, lastError: string | null): AppError | null {
  const signal = exitCode - SIGNALS;
  if (signal === KILL) return runError("errors.run.out_of_memory", { signal });
  if (signal > 0 && signal <= SIGNALS_MAX) return runError("errors.run.killed", { signal });
  return lastError === null ? null : runError("errors.run.ansible_error", { message: lastError });
}
