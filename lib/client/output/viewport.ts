import { batch, computed, type ReadonlySignal, signal } from "@preact/signals-core";
import type { Folds } from "./folds.ts";

/** Height of a row that is not wrapped, in pixels. */
const ROW_PX = 20;
/**
 * Browsers do not draw elements of some 17 million pixels, so rows that are not rendered shrink
 * first.
 */
const GAPS_PX_MAX = 8_000_000;
/** Distance from the end, in pixels, that counts as the end. */
const END_PX = 40;
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 30;
/** Number of rows by which the rendered range moves. */
const STEP = 10;

/** The first and last rendered row. Folded lines have no rows. */
interface Rows {
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

/**
 * Initial position of a log: a line, or null for its end, with the rows that are already rendered.
 */
interface Opening extends Rows {
  line: number | null;
}

type Scrolled = Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">;

/** Rounds a line down to a multiple of `STEP`. */
const rowStep = (line: number): number => line - line % STEP;

/** Returns the height of a row that is not rendered. */
export const rowPx = (total: number): number => Math.min(ROW_PX, GAPS_PX_MAX / Math.max(1, total));

/**
 * Returns the rows to render for a box of this height, with row `top` in its upper third. Null
 * stands for the end.
 */
function rowsAt(top: number | null, total: number, height: number): Rows {
  const seen = Math.ceil(height / ROW_PX);
  if (top === null) return { first: Math.max(1, total - seen - OVERSCAN), last: total };
  const before = Math.ceil(seen / 3) + OVERSCAN;
  return {
    first: Math.max(1, top - before),
    last: Math.min(total, top + STEP + seen + OVERSCAN),
  };
}

/** Returns the row at the top of a box where only a gap is visible, counted from 1. */
function rowAt({ scrollTop, scrollHeight }: Scrolled, total: number): number {
  return Math.min(total, 1 + Math.floor(total * scrollTop / Math.max(1, scrollHeight)));
}

/**
 * The reader's position in a log, and the rows rendered for it: the visible ones and a few more,
 * between two gaps as high as the other rows may be. It follows the end until someone scrolls up.
 */
export function createViewport(folds: ReadonlySignal<Folds>, { line, ...opening }: Opening) {
  const follow = signal(line === null);
  /** Height of the box; unknown on the server. */
  const height = signal(0);
  /** The line at the top, rounded to a step, because rows change a few at a time. */
  const top = signal(rowStep(line ?? folds.value.lineOf(folds.value.rows)));
  /** The position to scroll to with the next rows. */
  const goal = signal<Anchor | null>(line === null ? null : { line });
  /** Rows on paper, while the page is printed. */
  const printed = signal<Rows | null>(null);
  let reached: Anchor | null = null;
  /** The scroll height at the last check. */
  let size = 0;

  const rows = computed<Rows>(() => {
    if (printed.value) return printed.value;
    if (height.value === 0) return opening;
    const { rows, rowOf } = folds.value;
    return rowsAt(follow.value ? null : rowOf(top.value), rows, height.value);
  });

  return {
    follow,
    setFollow: (is: boolean) => follow.value = is,
    height,
    rows,
    print: (rows: Rows | null) => printed.value = rows,
    /**
     * Returns the row that stays in position while other rows change: the goal, or else the row in
     * sight. Returns null at the end.
     */
    anchor(inSight: () => Anchor | null): Anchor | null {
      if (goal.value !== reached) return goal.value;
      return height.value > 0 && !follow.value ? inSight() : null;
    },
    /** Takes note of the scroll height after rows have changed. */
    placed(scrollHeight: number) {
      size = scrollHeight;
      if (height.value > 0) reached = goal.value;
    },
    /** Shows a line with some lines before it. */
    goTo(line: number) {
      batch(() => {
        goal.value = { line };
        follow.value = false;
        top.value = rowStep(line);
      });
    },
    /** Follows the reader, who scrolled to a row or, without one, to a gap. */
    scrolled(box: Scrolled, row: Anchor | null) {
      const { scrollTop, scrollHeight, clientHeight } = box;
      const { rows: total, lineOf } = folds.value;
      const isNearEnd = scrollHeight - scrollTop - clientHeight < END_PX;
      // If the height has changed, lines came or went. Then it was not the reader who left the end,
      // or who arrived in the gap before it.
      const isUnchanged = scrollHeight === size;
      const atEnd = isNearEnd && (isUnchanged || rows.value.last >= total);
      size = scrollHeight;
      const line = row?.line ?? lineOf(rowAt(box, total));
      batch(() => {
        if (atEnd || isUnchanged) follow.value = atEnd;
        if (!row) goal.value = { line, offset: 0 };
        top.value = rowStep(line);
      });
    },
  };
}
