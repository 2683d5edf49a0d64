import type { Store } from "./store.ts";

/**
 * Yields the first entry below `prefix` for each integer that follows it, in ascending order. Each
 * entry takes one read.
 */
export async function* firstOfEach<Row>(
  kv: Store,
  prefix: Deno.KvKey,
): AsyncGenerator<{ part: number; entry: Deno.KvEntry<Row> }> {
  const end = [...prefix, Number.MAX_SAFE_INTEGER];
  for (let from = Number.MIN_SAFE_INTEGER;;) {
    const entries = kv.list<Row>({ start: [...prefix, from], end }, { limit: 1 });
    const { done, value: entry } = await entries.next();
    if (done) return;
    const part = entry.key[prefix.length] as number;
    yield { part, entry };
    from = part + 1;
  }
}

/** Returns the key of the first entry for each text that follows `prefix`, in their order. */
export async function firstKeys(kv: Store, prefix: Deno.KvKey): Promise<Deno.KvKey[]> {
  const found: Deno.KvKey[] = [];
  for (let start = [...prefix, ""];;) {
    const { done, value } = await kv.list({ prefix, start }, { limit: 1 }).next();
    if (done) return found;
    found.push(value.key);
    start = [...prefix, `${value.key[prefix.length] as string}\0`];
  }
}
