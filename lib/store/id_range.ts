import type { IndexRange } from "./indexed_list.ts";
import type { Store } from "./store.ts";

/** A row whose id ends its key. */
interface Dated {
  id: number;
  created: string;
}

/**
 * Within a project ids grow with time, except when the clocks of servers differ or are set back, by
 * at most this much.
 */
const CLOCK_SLACK_MS = 2 * 3_600_000;

/**
 * Returns the range of ids in which rows of `prefix` can match, from `start` up to but excluding
 * `end`.
 */
export async function idRange(
  kv: Store,
  prefix: Deno.KvKey,
  { before, from, to }: { before?: number; from?: string; to?: string },
): Promise<IndexRange> {
  const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
  const start = from === undefined
    ? 0
    : await firstIdSince(kv, prefix, shifted(from, -CLOCK_SLACK_MS));
  const end = to === undefined
    ? Number.MAX_SAFE_INTEGER
    : await firstIdSince(kv, prefix, shifted(to, CLOCK_SLACK_MS));
  return { start: [start], end: [Math.max(start, Math.min(end, before ?? end))] };
}

/**
 * Returns an id at which the rows since `time` begin. A binary search takes some 20 reads.
 */
async function firstIdSince(kv: Store, prefix: Deno.KvKey, time: string): Promise<number> {
  const [newest] = await firstRow(kv, { prefix }, true);
  let low = 0;
  let high = (newest?.id ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await firstRow(kv, { start: [...prefix, middle], end: [...prefix, high] });
    if (row && row.created < time) low = row.id + 1;
    else high = middle;
  }
  return low;
}

const firstRow = (kv: Store, selector: Deno.KvListSelector, reverse = false) =>
  Array.fromAsync(kv.list<Dated>(selector, { limit: 1, reverse }), ({ value }) => value);
