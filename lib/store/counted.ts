import { getAll } from "./rows/get_all.ts";
import { rowKeys } from "./keys.ts";
import type { Atomic, Store } from "./store.ts";

/** Added to a 64-bit sum to subtract one. */
const MINUS_ONE = 2n ** 64n - 1n;

/** Number of rows of a list. */
export interface Count {
  count: number;
  /** There are more rows than `count`. Counting them all would take longer than reading a page. */
  isMore?: boolean;
}

/** Position of a page in its list. */
export interface ListPosition {
  /** Number of rows before the page; null if counting them would take too long. */
  skipped: number | null;
  of: Count;
}

/**
 * Adds a new row to `op` and increments the count of its list, which consists of the rows whose
 * keys differ only in their last part. A page can then show the number of rows without reading
 * them.
 */
export function addCounted(op: Atomic, key: Deno.KvKey, value: unknown = true): void {
  op.set(key, value).sum(countKey(key.slice(0, -1)), 1n);
}

/** Adds the deletion of such a row to `op`. The checks of `op` must ensure that the row exists. */
export function removeCounted(op: Atomic, key: Deno.KvKey): void {
  op.delete(key).sum(countKey(key.slice(0, -1)), MINUS_ONE);
}

/** Adds the deletion of several such rows to `op`, as `removeCounted` does for one. */
export function removeAllCounted(op: Atomic, rows: Deno.KvKey[]): void {
  const lists = Map.groupBy(rows, (key) => key.slice(0, -1).join("\0"));
  for (const [first, ...more] of lists.values()) {
    op.sum(countKey(first.slice(0, -1)), 2n ** 64n - BigInt(1 + more.length));
    for (const key of [first, ...more]) op.delete(key);
  }
}

/** Returns how many rows these lists have in total. */
export async function countOf(kv: Store, lists: Deno.KvKey[]): Promise<number> {
  const entries = await getAll<Deno.KvU64>(kv, lists.map(countKey));
  return entries.reduce((sum, { value }) => sum + Number(value?.value ?? 0n), 0);
}

const countKey = ([kind, projectId, ...rest]: Deno.KvKey) =>
  rowKeys.rowCount(projectId as number, kind as string, ...rest);

/** Maximum number of rows that are counted one by one. */
export const COUNTED_MAX = 1_000;

/** Counts the rows that `selector` finds, up to `COUNTED_MAX`. */
export async function countRows(kv: Store, selector: Deno.KvListSelector): Promise<Count> {
  let count = 0;
  const rows = kv.list(selector, { limit: COUNTED_MAX + 1, batchSize: 500 });
  for await (const _ of rows) count++;
  return count > COUNTED_MAX ? { count: COUNTED_MAX, isMore: true } : { count };
}
