import { getAll } from "./get_all.ts";
import { rowKeys } from "./keys.ts";
import { type Course, unwatched } from "./rewrite_rows.ts";
import { transact } from "./transact.ts";

/** One less, for a sum of 64 bits. */
const MINUS_ONE = 2n ** 64n - 1n;

/** How many rows a list has. */
export interface Count {
  count: number;
  /** There are more: to count them all would take longer than to read a page. */
  isMore?: boolean;
}

/** Where a page of a list stands in it. */
export interface Place {
  /** Rows in front of the page; null where that would take too long to say. */
  skipped: number | null;
  of: Count;
}

/**
 * Adds to `op` a row that is not there yet, and that its list has one more: the rows whose keys
 * differ in their last part only. So a page can tell how many there are, and reads none of them.
 */
export function addCounted(op: Deno.AtomicOperation, key: Deno.KvKey, value: unknown = true): void {
  op.set(key, value).sum(countKey(key.slice(0, -1)), 1n);
}

/** Adds to `op` that such a row goes, which is there as long as what `op` checks stands. */
export function removeCounted(op: Deno.AtomicOperation, key: Deno.KvKey): void {
  op.delete(key).sum(countKey(key.slice(0, -1)), MINUS_ONE);
}

/** Adds to `op` that many such rows go, as `removeCounted` does for one. */
export function removeAllCounted(op: Deno.AtomicOperation, rows: Deno.KvKey[]): void {
  const lists = Map.groupBy(rows, (key) => key.slice(0, -1).join("\0"));
  for (const [first, ...more] of lists.values()) {
    op.sum(countKey(first.slice(0, -1)), 2n ** 64n - BigInt(1 + more.length));
    for (const key of [first, ...more]) op.delete(key);
  }
}

/**
 * How many rows these lists have together. What an earlier version adds to a store that is shared
 * with it is not counted, so that a sum may have gone below zero.
 */
export async function countOf(kv: Deno.Kv, lists: Deno.KvKey[]): Promise<number> {
  const entries = await getAll<Deno.KvU64>(kv, lists.map(countKey));
  const counts = entries.map(({ value }) => Number(BigInt.asIntN(64, value?.value ?? 0n)));
  return counts.reduce((sum, count) => sum + Math.max(0, count), 0);
}

const countKey = ([kind, projectId, ...rest]: Deno.KvKey) =>
  rowKeys.rowCount(projectId as number, kind as string, ...rest);

/** Rows that are counted one by one, at most. */
export const COUNTED_MAX = 1_000;

/** How many rows `selector` finds: read to a bound. */
export async function countRows(kv: Deno.Kv, selector: Deno.KvListSelector): Promise<Count> {
  let count = 0;
  const rows = kv.list(selector, { limit: COUNTED_MAX + 1, batchSize: 500 });
  for await (const _ of rows) count++;
  return count > COUNTED_MAX ? { count: COUNTED_MAX, isMore: true } : { count };
}

/** Where the page of a list that is not counted stands, whose rows end before the key `end`. */
export async function placeOfRows(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  end: Deno.KvKey | null,
): Promise<Place> {
  const [of, newer] = await Promise.all([
    countRows(kv, { prefix }),
    end && countRows(kv, { prefix, start: end }),
  ]);
  return { skipped: newer?.isMore ? null : newer?.count ?? 0, of };
}

/** Counts all rows of `prefix`, for a store whose rows were written before they were counted. */
export async function countAgain(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  course: Course = unwatched,
): Promise<void> {
  for (let list = await nextList(kv, { prefix }); list; list = await nextList(kv, behind(list))) {
    course.count(await countList(kv, list));
  }

  // Rows of one list come one after the other, with integers at their ends; "true" is behind all.
  function behind(list: Deno.KvKey): Deno.KvListSelector {
    return { prefix, start: [...list, true] };
  }
}

/** The list of the first row that `selector` finds. */
async function nextList(kv: Deno.Kv, selector: Deno.KvListSelector): Promise<Deno.KvKey | null> {
  for await (const { key } of kv.list(selector, { limit: 1 })) return key.slice(0, -1);
  return null;
}

/** Of servers that start together, one may add rows already while another one still counts. */
const countList = (kv: Deno.Kv, list: Deno.KvKey): Promise<number> =>
  transact(kv, async (op) => {
    const known = await kv.get(countKey(list));
    let count = 0;
    for await (const _ of kv.list({ prefix: list }, { batchSize: 1000 })) count++;
    op.check(known).set(known.key, new Deno.KvU64(BigInt(count)));
    return count;
  });
