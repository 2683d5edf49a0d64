import { inLimit } from "../base/abort.ts";
import { AppError } from "../base/errors.ts";

/** A store that is there answers within milliseconds. */
const ANSWER_MS_MAX = 3_000;

/**
 * What `reading` gives; throws 503 when the store does not answer in time. A KV Connect service
 * that is away is asked until it is back, however long that takes: nobody should wait that long.
 */
export function inTime<T>(reading: Promise<T>, limitMs = ANSWER_MS_MAX): Promise<T> {
  return inLimit(reading, limitMs, () => new AppError(503, "errors.store_away", {}, RETRY));
}

const RETRY = { headers: { "Retry-After": "5" } };
