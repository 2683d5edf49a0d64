import type { Store } from "./store.ts";
import { writeAll } from "./rows/write_all.ts";

/**
 * Deletes all rows below `prefix`, however many there are; with `end`, only those before that key.
 */
export const deletePrefix = (
  kv: Store,
  prefix: Deno.KvKey,
  end?: Deno.KvKey,
): Promise<void> => deleteFound(kv, [end ? { prefix, end } : { prefix }]);

/** Deletes all rows that the selectors find and then `last`, in as few commits as possible. */
export const deleteFound = (
  kv: Store,
  selectors: Deno.KvListSelector[],
  last: Deno.KvKey[] = [],
): Promise<void> => writeAll(kv, keysFound(kv, selectors, last), (op, key) => op.delete(key));

async function* keysFound(kv: Store, selectors: Deno.KvListSelector[], last: Deno.KvKey[]) {
  for (const selector of selectors) {
    for await (const { key } of kv.list(selector, { batchSize: 500 })) yield key;
  }
  yield* last;
}
