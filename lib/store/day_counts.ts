import { deletePrefix } from "./delete_prefix.ts";
import { firstOfEach } from "./first_of_each.ts";
import type { Atomic, Store } from "./store.ts";

/** A year plus the month that is compared with one. */
const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

/** Returns the UTC day of a time, or of one so many days earlier: "2026-03-01". */
export const dayOf = (time: Date | string, days = 0): string =>
  new Date(new Date(time).getTime() - days * DAY_MS).toISOString().slice(0, 10);

/**
 * Counts what ended with a state, and the seconds that it took, below the key of its day. Sums do
 * not make commits wait for each other.
 */
export function countEnd(op: Atomic, day: Deno.KvKey, state: string, seconds: number): void {
  op.sum([...day, state], 1n);
  if (seconds > 0) op.sum([...day, "seconds"], BigInt(seconds));
}

/** Returns the seconds between two times; 0 if one is missing. */
export const secondsBetween = (start?: string | null, end?: string | null): number =>
  start && end ? Math.max(0, Math.round((Date.parse(end) - Date.parse(start)) / 1000)) : 0;

/**
 * Reads counts in the order of their keys, with the day, the id behind it, and the average seconds
 * of runs that succeeded or failed.
 */
export async function readDayCounts<State extends string>(
  kv: Store,
  prefix: Deno.KvKey,
  { start = "", end = "~" }: { start?: string; end?: string },
) {
  const found = new Map<string, { key: Deno.KvKey; sums: Record<string, number> }>();
  const selector = { start: [...prefix, start], end: [...prefix, end] };
  for await (const { key, value } of kv.list<Deno.KvU64>(selector, { batchSize: 500 })) {
    const { sums } = found.getOrInsert(key.slice(0, -1).join(), { key, sums: {} });
    sums[key.at(-1) as string] = Number(value.value);
  }
  return [...found.values()].map(({ key, sums: { seconds = 0, ...sums } }) => {
    const [date, id] = key.slice(prefix.length) as [string, number];
    const { success = 0, error = 0, failed = 0 } = sums;
    const average = Math.round(seconds / Math.max(1, success + error + failed));
    return { date, id, counts: sums as Partial<Record<State, number>>, average, seconds };
  });
}

/** Deletes old counts. As many ids as `levels` says stand between `prefix` and the days. */
export async function sweepDayCounts(kv: Store, prefix: Deno.KvKey, levels: number, now: Date) {
  if (levels === 0) return await deletePrefix(kv, prefix, [...prefix, dayOf(now, KEPT_DAYS)]);
  for await (const { part } of firstOfEach(kv, prefix)) {
    await sweepDayCounts(kv, [...prefix, part], levels - 1, now);
  }
}
