/** Last work under way for each name, by store. */
const queues = new WeakMap<Deno.Kv, Map<string, Promise<unknown>>>();

/**
 * Does `work` after all earlier work under the same name, so that callers in one process queue up
 * instead of conflicting in the store. Other processes are not affected.
 */
export function inTurn<T>(kv: Deno.Kv, name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(kv) ?? new Map<string, Promise<unknown>>();
  queues.set(kv, queue);
  const mine = (queue.get(name) ?? Promise.resolve()).then(work, work);
  const settled = mine.catch(() => {}).finally(() => {
    if (queue.get(name) === settled) queue.delete(name);
  });
  queue.set(name, settled);
  return mine;
}
