import type { LiveRecord } from "@/lib/base/hub.ts";

/** Lines of a log that a browser holds, by their numbers: those around where it is read. */
export type LogLines = Map<number, LiveRecord>;

/** More lines than that are not held. */
const HELD_MAX = 4_000;
/** Lines that are asked for at once. */
export const PAGE_LINES = 500;

/** Lines from one to another. */
export type LineRange = readonly [from: number, to: number];

/** Adds lines, and forgets those that are far from all of `places` where there are too many. */
export function addLines(held: LogLines, records: LiveRecord[], places: LineRange[]): void {
  for (const record of records) held.set(record.id, record);
  if (held.size <= HELD_MAX) return;
  const near = HELD_MAX / 2 / Math.max(1, places.length);
  for (const id of held.keys()) {
    if (!places.some(([from, to]) => id >= from - near && id <= to + near)) held.delete(id);
  }
}

/** The page of lines to ask for next, so that all of `places` are held. Null when none is missing. */
export function nextPage(held: LogLines, places: LineRange[]): ReturnType<typeof missingPage> {
  for (const [from, to] of places) {
    const page = missingPage(held, from, to);
    if (page) return page;
  }
  return null;
}

/**
 * The page of lines to ask for next, so that those from `from` to `to` are held: those up to what
 * is held below them, or else those from the first that is missing on. Null when none is missing.
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
