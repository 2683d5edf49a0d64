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
