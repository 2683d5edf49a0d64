import type { Deps } from "../deps.ts";

/** What is due, in order of time: the keys below `prefix` go on with an RFC 3339 time in UTC. */
export interface DueList<Row> {
  prefix: Deno.KvKey;
  /** Handled beside each other. */
  atOnce: number;
  /** Must remove the row, or set it to a later time. */
  handle(entry: Deno.KvEntry<Row>): Promise<void>;
}

/** Handles all that is due; answers in how many milliseconds the next one is, if there is one. */
export async function handleDue<Row>(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  { prefix, atOnce, handle }: DueList<Row>,
  stop?: AbortSignal,
): Promise<number | null> {
  for (;;) {
    if (stop?.aborted) return null;
    const end = [...prefix, new Date(clock.now().getTime() + 1).toISOString()];
    const due = await Array.fromAsync(kv.list<Row>({ prefix, end }, { limit: atOnce }));
    if (due.length === 0) break;
    await Promise.all(due.map(handle));
  }
  const [next] = await Array.fromAsync(kv.list({ prefix }, { limit: 1 }));
  return next ? Date.parse(next.key[prefix.length] as string) - clock.now().getTime() : null;
}
