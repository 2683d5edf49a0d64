import { inTurn, transact } from "./transact.ts";
import { rowKeys } from "./keys.ts";
import type { Atomic, Store } from "./store.ts";

/** Returns the next integer id of `kind`, starting at 1. No server ever gets the same id again. */
export async function nextId(kv: Store, kind: string): Promise<number> {
  return (await nextIds(kv, kind, 1))[0];
}

/** Returns the next `count` ids of `kind` in ascending order. */
export function nextIds(kv: Store, kind: string, count: number): Promise<number[]> {
  return inTurn(kv, `ids ${kind}`, () => transact(kv, (op) => takeIds(kv, op, kind, count)));
}

/**
 * Returns the ids that `nextIds` would, and allocates them in the commit of `op`. Saves a commit
 * where a new row needs no id before it is stored.
 */
export async function takeIds(
  kv: Store,
  op: Atomic,
  kind: string,
  count: number,
): Promise<number[]> {
  const last = await kv.get<number>(rowKeys.lastId(kind));
  const before = last.value ?? 0;
  op.check(last).set(last.key, before + count);
  return Array.from({ length: count }, (_, n) => before + 1 + n);
}
