import { LIMITS } from "../limits.ts";
import type { Store } from "../store.ts";

/** Returns the rows of any number of keys, in the order of `keys`. */
export async function getAll<Row>(
  kv: Store,
  keys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<Row>[]> {
  const batches: Promise<Deno.KvEntryMaybe<Row>[]>[] = [];
  for (let from = 0; from < keys.length; from += LIMITS.keysPerRead) {
    batches.push(kv.getMany<Row[]>(keys.slice(from, from + LIMITS.keysPerRead)));
  }
  return (await Promise.all(batches)).flat();
}
