import { AppError } from "../base/errors.ts";
import { rowKeys } from "../kv/keys.ts";

/** Tasks that may wait and run at once, in all projects: the queue is read as a whole. */
export const OPEN_TASKS_MAX = 10_000;

const RETRY_AFTER_SECONDS = 60;

/** Starts until the queue is counted again, by store. */
const uncounted = new WeakMap<Deno.Kv, number>();

/**
 * Throws 429 when too many tasks are open. Counting them takes a while when there are many: each
 * count stands for half of the starts that there is room for, since other servers start tasks too.
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
