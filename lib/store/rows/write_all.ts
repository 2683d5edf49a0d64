import type { Atomic, Store } from "../store.ts";

/** Part of a commit's limits at which it is written. What one item adds must fit into the rest. */
export const FULL = 0.5;

/**
 * Adds the changes of any number of items to as few commits as possible, each far below the limits,
 * so that other commits get a turn. The items of one commit are written together or not at all.
 */
export async function writeAll<T>(
  kv: Store,
  items: Iterable<T> | AsyncIterable<T>,
  add: (op: Atomic, item: T) => unknown,
): Promise<void> {
  let op = kv.atomic();
  for await (const item of items) {
    add(op, item);
    if (op.used < FULL) continue;
    await op.commit();
    op = kv.atomic();
  }
  if (op.used > 0) await op.commit();
}
