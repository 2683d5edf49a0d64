import { inLimit } from "./abort.ts";
import { AppError } from "../errors.ts";

/** An available store responds within milliseconds. */
const ANSWER_MS_MAX = 3_000;

/**
 * Resolves to the result of `reading`. Throws 503 if the store does not respond in time. Deno
 * retries an unavailable KV Connect service until it is back, and no one should wait that long.
 */
export function inTime<T>(reading: Promise<T>, limitMs = ANSWER_MS_MAX): Promise<T> {
  return inLimit(reading, limitMs, () => new AppError(503, "errors.store_away", {}, RETRY));
}

const RETRY = { headers: { "Retry-After": "5" } };
