import type { LiveRecord } from "@/lib/base/hub.ts";

/** Lines of a log that a browser holds, by their numbers: those around where it is read. */
export type LogLines = Map<number, LiveRecord>;

/** More lines than that are not held. */
const HELD_MAX = 4_000;
/** Lines that are asked for at once. */
export const PAGE_LINES = 500;

/** Adds lines, and forgets those that are far from line `place` where there are too many. */
export function addLines(held: LogLines, records: LiveRecord[], place: number): void {
  for (const record of records) held.set(record.id, record);
  if (held.size <= HELD_MAX) return;
  for (const id of held.keys()) {
    if (Math.abs(id - place) > HELD_MAX / 2) held.delete(id);
  }
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
