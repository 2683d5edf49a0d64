import { AppError } from "../base/errors.ts";
import { rowKeys } from "../kv/keys.ts";

/** Maximum number of unfinished tasks in all projects, because the queue is read as a whole. */
export const OPEN_TASKS_MAX = 10_000;

const RETRY_AFTER_SECONDS = 60;

/** Starts that are left until the queue is counted again, by store. */
const uncounted = new WeakMap<Deno.Kv, number>();

/**
 * Throws 429 if too many tasks are open. Counting many tasks takes a while, so a count is valid for
 * as many starts as half of the free slots. The other half is left for other servers.
 */
export async function requireRoom(kv: Deno.Kv): Promise<void> {
  const left = uncounted.get(kv) ?? 0;
  if (left > 0) return void uncounted.set(kv, left - 1);
  let open = 0;
  const rows = kv.list({ prefix: rowKeys.openTasks() }, { limit: OPEN_TASKS_MAX, batchSize: 500 });
  for await (const _ of rows) open++;
  if (open >= OPEN_TASKS_MAX) {
    throw new AppError(429, "errors.queue_full", { max: OPEN_TASKS_MAX }, {
      headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
    });
  }
  uncounted.set(kv, Math.floor((OPEN_TASKS_MAX - open) / 2));
}
