import { getAll } from "./rows/get_all.ts";
import { rowKeys } from "./keys.ts";
import { type Course, unwatched } from "./rows/rewrite_rows.ts";
import { transact } from "./transact.ts";
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

/**
 * Returns how many rows these lists have in total. Rows that an earlier version adds to a shared
 * store are not counted, so a sum may be below zero.
 */
export async function countOf(kv: Store, lists: Deno.KvKey[]): Promise<number> {
  const entries = await getAll<Deno.KvU64>(kv, lists.map(countKey));
  const counts = entries.map(({ value }) => Number(BigInt.asIntN(64, value?.value ?? 0n)));
  return counts.reduce((sum, count) => sum + Math.max(0, count), 0);
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

/** Counts all rows of `prefix`, for a store whose rows were written before counts existed. */
export async function countAgain(
  kv: Store,
  prefix: Deno.KvKey,
  course: Course = unwatched,
): Promise<void> {
  for (let list = await nextList(kv, { prefix }); list; list = await nextList(kv, behind(list))) {
    course.count(await countList(kv, list));
  }

  // Rows of one list are adjacent and end in integers. "true" sorts after all integers.
  function behind(list: Deno.KvKey): Deno.KvListSelector {
    return { prefix, start: [...list, true] };
  }
}

/** Returns the list of the first row that `selector` finds. */
async function nextList(kv: Store, selector: Deno.KvListSelector): Promise<Deno.KvKey | null> {
  for await (const { key } of kv.list(selector, { limit: 1 })) return key.slice(0, -1);
  return null;
}

/**
 * The check is needed because another server that started at the same time may already add rows.
 */
const countList = (kv: Store, list: Deno.KvKey): Promise<number> =>
  transact(kv, async (op) => {
    const known = await kv.get(countKey(list));
    let count = 0;
    for await (const _ of kv.list({ prefix: list }, { batchSize: 1000 })) count++;
    op.check(known).set(known.key, new Deno.KvU64(BigInt(count)));
    return count;
  });
