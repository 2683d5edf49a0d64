import { mergeNewest } from "../base/merge.ts";
import { cachedWhile } from "./cached.ts";
import { countRows } from "./counted.ts";
import type { Store } from "./store.ts";

/** Part of an index by positions, in the order of keys: from `start`, and before `end`. */
export interface IndexRange {
  start?: Deno.KvKey;
  end?: Deno.KvKey;
}

/** An entry of an index. Where an index is the rows themselves, it has the row. */
export type Indexed<Row = unknown> = Pick<Deno.KvEntry<Row>, "key" | "value">;

interface ReadOptions<Row> {
  range?: IndexRange;
  limit?: number;
  batchSize?: number;
  /** Further entries in the same order, such as those of rows that no index has yet. */
  also?: AsyncIterator<Indexed<Row>>[];
}

/**
 * A list with filters whose pages cost what they show. Each filter or combination of filters has an
 * index: keys of a prefix and a _position_, by which the list is ordered. A filter with several
 * values merges their indices. Cursors are positions.
 */
export interface IndexedList {
  /** Number of parts at the end of each key that are its position. */
  parts: number;
  /** Whether the last keys are the first of the list. */
  isReverse: boolean;
}

/** Returns less than 0 if the list shows `a` before `b`, two positions or keys. */
export function comparePositions(
  { parts, isReverse }: IndexedList,
  a: Deno.KvKey,
  b: Deno.KvKey,
): number {
  for (let n = parts; n > 0; n--) {
    // Parts of one place are all texts or all numbers.
    const [one, other] = [a.at(-n) as string, b.at(-n) as string];
    if (one !== other) return one < other === isReverse ? 1 : -1;
  }
  return 0;
}

/** Yields the entries of all indices in the order of the list, each position once. */
export async function* readIndices<Row>(
  kv: Store,
  list: IndexedList,
  indices: Deno.KvKey[],
  { range, limit, batchSize, also = [] }: ReadOptions<Row> = {},
): AsyncGenerator<Indexed<Row>> {
  const options = { reverse: list.isReverse, limit, batchSize };
  const sources: AsyncIterator<Indexed<Row>>[] = indices.map((index) =>
    kv.list<Row>(selectorIn(index, range), options)
  );
  const isBefore = (a: Indexed, b: Indexed) => comparePositions(list, a.key, b.key) < 0;
  let last: Indexed | null = null;
  let count = 0;
  for await (const entry of mergeNewest([...sources, ...also], isBefore)) {
    // A row whose filters change while this reads may be found twice.
    if (last && !isBefore(last, entry)) continue;
    last = entry;
    yield entry;
    if (++count === limit) return;
  }
}

/** Returns the range of the page after a position; all for none. */
export const rangeAfter = ({ isReverse }: IndexedList, position: Deno.KvKey | null): IndexRange =>
  !position ? {} : isReverse ? { end: position } : { start: behind(position) };

/**
 * Counts the rows before the page after a position, which include the row at it. Returns null if
 * that would take longer than reading a page.
 */
export async function countBefore(
  kv: Store,
  { isReverse }: IndexedList,
  indices: Deno.KvKey[],
  position: Deno.KvKey | null,
  range: IndexRange = {},
): Promise<number | null> {
  if (!position) return 0;
  const before = isReverse ? { ...range, start: position } : { ...range, end: behind(position) };
  const counts = await Promise.all(
    indices.map((index) => countRows(kv, selectorIn(index, before))),
  );
  if (counts.some(({ isMore }) => isMore)) return null;
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the first position after another one. */
const behind = (position: Deno.KvKey): Deno.KvKey => [...position, false];

/** Returns the first `max` positions of an index, cached until one of the stamps changes. */
export const readPositions = <Position>(
  kv: Store,
  list: IndexedList,
  index: Deno.KvKey,
  { stamps, max, positionOf }: {
    stamps: Deno.KvKey[];
    max: number;
    positionOf: (key: Deno.KvKey) => Position;
  },
): Promise<{ positions: Position[]; isAll: boolean }> =>
  cachedWhile(kv, stamps, `positions in ${JSON.stringify(index)}`, async () => {
    const entries = readIndices(kv, list, [index], { limit: max + 1, batchSize: 500 });
    const positions = await Array.fromAsync(entries, ({ key }) => positionOf(key));
    return { positions: positions.slice(0, max), isAll: positions.length <= max };
  });

/** Selects the keys of an index in a range of positions. */
export function selectorIn(
  prefix: Deno.KvKey,
  { start, end }: IndexRange = {},
): Deno.KvListSelector {
  if (!start) return end ? { prefix, end: [...prefix, ...end] } : { prefix };
  if (!end) return { prefix, start: [...prefix, ...start] };
  // The store refuses a range that ends before it starts.
  const isEmpty = (start[0] as string) > (end[0] as string);
  return { start: [...prefix, ...isEmpty ? end : start], end: [...prefix, ...end] };
}

/**
 * Takes the first `limit` matching rows from batches of rows that indices have found, of which
 * almost all match, and says whether there are more.
 */
export async function takeMatching<Row>(
  batches: AsyncIterable<Row[]>,
  limit: number,
  matching: (rows: Row[]) => Row[] | Promise<Row[]>,
): Promise<{ rows: Row[]; hasNext: boolean }> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    rows.push(...await matching(batch));
    // One row more than wanted shows whether there is a next page.
    if (rows.length > limit) break;
  }
  return { rows: rows.slice(0, limit), hasNext: rows.length > limit };
}
