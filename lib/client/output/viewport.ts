import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { type Anchor, rowAt, rowInSight, rowPx, type Rows, rowsAt, rowStep } from "./rows.ts";
import type { Folds } from "./folds.ts";

/** Distance from the end, in pixels, that counts as the end. */
const END_PX = 40;

/**
 * Initial position of a log: a line, or null for its end, with the rows that are already rendered.
 */
interface Opening extends Rows {
  line: number | null;
}

/**
 * Tracks the reader's position in a log, and the rows rendered for it: the visible ones and a few
 * more, between two gaps as high as the other rows may be. Folded lines have no rows. It follows
 * the end until someone scrolls up. After that, the top row stays in position, even if lines above
 * it are added or wrapped.
 */
export function useLogView(folds: Folds, opening: Opening) {
  const { rows: total } = folds;
  const box = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const [follow, setFollow] = useState(opening.line === null);
  /** Height of the box; unknown on the server. */
  const [height, setHeight] = useState(0);
  /** The line at the top, rounded to a step, because rows change a few at a time. */
  const [top, setTop] = useState(rowStep(opening.line ?? folds.lineOf(total)));
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  /** The position to scroll to with the next rows. */
  const goal = useRef<Anchor | null>(opening.line === null ? null : { line: opening.line });
  /** The scroll height at the last check. */
  const size = useRef(0);

  const rows = height === 0 ? opening : rowsAt(follow ? null : folds.rowOf(top), total, height);
  // Measured while the previous rows are still rendered.
  const anchor = goal.current ?? (height > 0 && !follow ? rowInSight(box.current!) : null);

  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setHeight(box.current!.clientHeight));
    observer.observe(box.current!);
    setHeight(box.current!.clientHeight);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = box.current!;
    const px = rowPx(total);
    // Set by script, because the page's policy allows no style attributes.
    above.current!.style.height = `${(rows.first - 1) * px}px`;
    below.current!.style.height = `${(total - rows.last) * px}px`;
    if (follow) element.scrollTop = element.scrollHeight;
    else if (anchor) keepInPlace(element, anchor);
    if (height > 0) goal.current = null;
    size.current = element.scrollHeight;
  });

  return {
    box,
    above,
    below,
    follow,
    setFollow,
    rows,
    /** Shows a line with some lines before it. */
    goTo(line: number) {
      goal.current = { line };
      setFollow(false);
      setTop(rowStep(line));
      redraw(0);
    },
    onScroll() {
      const element = box.current!;
      const { scrollTop, scrollHeight, clientHeight } = element;
      const atEnd = rows.last >= total && scrollHeight - scrollTop - clientHeight < END_PX;
      // If the height has changed, lines came or went. Then it was not the reader who left the end.
      if (atEnd || scrollHeight === size.current) setFollow(atEnd);
      size.current = scrollHeight;
      const row = rowInSight(element);
      const line = row?.line ?? folds.lineOf(rowAt(element, total));
      if (!row) goal.current = { line, offset: 0 };
      setTop(rowStep(line));
    },
  };
}

/** Scrolls so that a row keeps its position although other rows have changed. */
function keepInPlace(box: HTMLElement, { line, offset = box.clientHeight / 3 }: Anchor): void {
  const row = box.querySelector(`#L${line}`);
  if (!row) return;
  const moved = row.getBoundingClientRect().top - box.getBoundingClientRect().top - offset;
  if (Math.abs(moved) >= 1) box.scrollTop += moved;
}
