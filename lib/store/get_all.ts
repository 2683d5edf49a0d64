import { KEYS_MAX } from "./gather_reads.ts";

/** Returns the rows of any number of keys, in the order of `keys`. */
export async function getAll<Row>(
  kv: Deno.Kv,
  keys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<Row>[]> {
  const batches: Promise<Deno.KvEntryMaybe<Row>[]>[] = [];
  for (let from = 0; from < keys.length; from += KEYS_MAX) {
    batches.push(kv.getMany<Row[]>(keys.slice(from, from + KEYS_MAX)));
  }
  return (await Promise.all(batches)).flat();
}
