import type { AppError } from "../../../base/errors.ts";
import { runError } from "../../run/context.ts";
import type { LastError } from "./last_error.ts";

/** Shells add this to the number of the signal that killed a command. */
const SIGNALS = 128;
const SIGNALS_MAX = 64;
const KILL = 9;

/**
 * Returns why Ansible has ended: it was killed, or it reported an error. Null if nothing says why.
 */
export function exitReason(exitCode: number, lastError: LastError | null): AppError | null {
  const signal = exitCode - SIGNALS;
  if (signal === KILL) return runError("errors.run.out_of_memory", { signal });
  if (signal > 0 && signal <= SIGNALS_MAX) return runError("errors.run.killed", { signal });
  if (lastError === null) return null;
  const { message, place } = lastError;
  return place
    ? runError("errors.run.ansible_error_at", { ...place, message })
    : runError("errors.run.ansible_error", { message });
}
