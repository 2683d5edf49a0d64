/** Height of a row that is not wrapped, in pixels. */
const ROW_PX = 20;
/**
 * Browsers do not draw elements of some 17 million pixels, so rows that are not rendered shrink
 * first.
 */
const GAPS_PX_MAX = 8_000_000;
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 30;
/** Number of rows by which the rendered range moves. */
const STEP = 10;

/** The first and last rendered row. Folded lines have no rows. */
export interface Rows {
  first: number;
  last: number;
}

/**
 * A line, and its distance from the top of the box in pixels. Without `offset`, it is a third of
 * the box.
 */
export interface Anchor {
  line: number;
  offset?: number;
}

/** Rounds a line down to a multiple of `STEP`. */
export const rowStep = (line: number): number => line - line % STEP;

/** Returns the height of a row that is not rendered. */
export const rowPx = (total: number): number => Math.min(ROW_PX, GAPS_PX_MAX / Math.max(1, total));

/**
 * Returns the rows to render for a box of this height, with row `top` in its upper third. Null
 * stands for the end.
 */
export function rowsAt(top: number | null, total: number, height: number): Rows {
  const seen = Math.ceil(height / ROW_PX);
  if (top === null) return { first: Math.max(1, total - seen - OVERSCAN), last: total };
  const before = Math.ceil(seen / 3) + OVERSCAN;
  return {
    first: Math.max(1, top - before),
    last: Math.min(total, top + STEP + seen + OVERSCAN),
  };
}

/** Returns the first visible row and its position; null if there is only a gap. */
export function rowInSight(box: HTMLElement): Required<Anchor> | null {
  const { top, bottom } = box.getBoundingClientRect();
  for (const row of box.querySelectorAll(".log-line")) {
    const place = row.getBoundingClientRect();
    if (place.top >= bottom) return null;
    if (place.bottom > top + 1) return { line: Number(row.id.slice(1)), offset: place.top - top };
  }
  return null;
}

/** Returns the row at the top of a box where only a gap is visible, counted from 1. */
export function rowAt(
  { scrollTop, scrollHeight }: Pick<HTMLElement, "scrollTop" | "scrollHeight">,
  total: number,
): number {
  return Math.min(total, 1 + Math.floor(total * scrollTop / Math.max(1, scrollHeight)));
}
