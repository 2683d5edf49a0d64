/** The height of a row that is not wrapped. */
const ROW_PX = 20;
/** Browsers draw nothing that is some 17 million pixels high: rows that are not there shrink first. */
const GAPS_PX_MAX = 8_000_000;
/** Rows rendered beyond those in sight, so that scrolling shows no gaps. */
const OVERSCAN = 30;
/** Rows are changed so many at a time. */
const STEP = 10;

/** The first and the last row that are rendered, of all that are not folded away. */
export interface Rows {
  first: number;
  last: number;
}

/** A row, and how far below the top of its box it is to be; a third of the box without a number. */
export interface Anchor {
  line: number;
  offset?: number;
}

/** The line that stands for one and its neighbours. */
export const stepOf = (line: number): number => line - line % STEP;

/** The height of a row that is not rendered. */
export const rowPx = (total: number): number => Math.min(ROW_PX, GAPS_PX_MAX / Math.max(1, total));

/** The rows for a box so high with row `top` in its upper third; null stands for the end. */
export function rowsAt(top: number | null, total: number, height: number): Rows {
  const seen = Math.ceil(height / ROW_PX);
  if (top === null) return { first: Math.max(1, total - seen - OVERSCAN), last: total };
  const before = Math.ceil(seen / 3) + OVERSCAN;
  return {
    first: Math.max(1, top - before),
    last: Math.min(total, top + STEP + seen + OVERSCAN),
  };
}

/** The first row that is in sight, with its place; null where a gap is. */
export function rowInSight(box: HTMLElement): Required<Anchor> | null {
  const { top, bottom } = box.getBoundingClientRect();
  for (const row of box.querySelectorAll(".log-line")) {
    const place = row.getBoundingClientRect();
    if (place.top >= bottom) return null;
    if (place.bottom > top + 1) return { line: Number(row.id.slice(1)), offset: place.top - top };
  }
  return null;
}

/** The row that would be at the top of a box where only a gap is, counted from 1. */
export function rowAt(
  { scrollTop, scrollHeight }: Pick<HTMLElement, "scrollTop" | "scrollHeight">,
  total: number,
): number {
  return Math.min(total, 1 + Math.floor(total * scrollTop / Math.max(1, scrollHeight)));
}
