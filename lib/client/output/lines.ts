import type { LiveRecord } from "@/lib/base/hub.ts";

/** Lines of a log that the browser holds, by number: those around the current position. */
export type LogLines = Map<number, LiveRecord>;

/** Maximum number of lines that are held. */
const HELD_MAX = 4_000;
/** Number of lines per request. */
export const PAGE_LINES = 500;

/** Range of lines, both ends included. */
export type LoadedRange = readonly [from: number, to: number];

/** Adds lines. If there are too many, drops those that are far from all of `places`. */
export function addLines(held: LogLines, records: LiveRecord[], places: LoadedRange[]): void {
  for (const record of records) held.set(record.id, record);
  if (held.size <= HELD_MAX) return;
  const near = HELD_MAX / 2 / Math.max(1, places.length);
  for (const id of held.keys()) {
    if (!places.some(([from, to]) => id >= from - near && id <= to + near)) held.delete(id);
  }
}

/**
 * Returns the next page of lines to request, so that all of `places` are held; null if none is
 * missing.
 */
export function nextPage(held: LogLines, places: LoadedRange[]): ReturnType<typeof missingPage> {
  for (const [from, to] of places) {
    const page = missingPage(held, from, to);
    if (page) return page;
  }
  return null;
}

/**
 * Returns the page of lines to request so that those from `from` to `to` are held: the page that
 * ends at lines that are already held, or else the page that starts at the first missing line.
 * Returns null if none is missing.
 */
export function missingPage(
  held: LogLines,
  from: number,
  to: number,
): { after: number; limit: number } | null {
  let first = from;
  while (first <= to && held.has(first)) first++;
  if (first > to) return null;
  let last = first;
  while (last < to && !held.has(last + 1)) last++;
  return { after: last < to ? Math.max(0, last - PAGE_LINES) : first - 1, limit: PAGE_LINES };
}
