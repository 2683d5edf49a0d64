/** The last work under way for each name, by store. */
const queues = new WeakMap<Deno.Kv, Map<string, Promise<unknown>>>();

/**
 * Does `work` after all that was asked for under this name before, so that callers of one process
 * queue up instead of colliding in the store. It promises nothing about other processes.
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
