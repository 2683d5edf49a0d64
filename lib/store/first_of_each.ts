import type { Store } from "./store.ts";

/**
 * Yields the first entry below `prefix` for each part that follows it, in their order. The parts
 * are either integers or texts. Each entry takes one read.
 */
export async function* firstOfEach<Row, Part extends number | string = number>(
  kv: Store,
  prefix: Deno.KvKey,
): AsyncGenerator<{ part: Part; entry: Deno.KvEntry<Row> }> {
  for (let selector: Deno.KvListSelector = { prefix };;) {
    const { done, value: entry } = await kv.list<Row>(selector, { limit: 1 }).next();
    if (done) return;
    const part = entry.key[prefix.length] as Part;
    yield { part, entry };
    const next = typeof part === "number" ? part + 1 : `${part}\0`;
    selector = { prefix, start: [...prefix, next] };
  }
}

/** Returns the key of each of these entries, where the parts are texts. */
export async function firstKeys(kv: Store, prefix: Deno.KvKey): Promise<Deno.KvKey[]> {
  const found = await Array.fromAsync(firstOfEach<unknown, string>(kv, prefix));
  return found.map(({ entry }) => entry.key);
}
