import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { type Anchor, rowAt, rowInSight, rowPx, type Rows, rowsAt, stepOf } from "./rows.ts";
import type { Folds } from "./folds.ts";

/** How near to the end counts as there. */
const END_PX = 40;

/** Where a log is opened: at a line, or with null at its end; and the rows that are there already. */
interface Opening extends Rows {
  line: number | null;
}

/**
 * Where in a log the reader is, and which of its rows are rendered for it, those that are not
 * folded away: a few more than are in sight, between two gaps as high as the others may be. It follows the end as long as
 * nobody scrolls up; else the row at the top stays where it is, whatever comes above or wraps.
 */
export function useLogView(folds: Folds, opening: Opening) {
  const { rows: total } = folds;
  const box = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const [follow, setFollow] = useState(opening.line === null);
  /** Of the box; not known on the server. */
  const [height, setHeight] = useState(0);
  /** The line at the top, roughly: rows are changed a few at a time. */
  const [top, setTop] = useState(stepOf(opening.line ?? folds.lineOf(total)));
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  /** Where to go with the next rows. */
  const goal = useRef<Anchor | null>(opening.line === null ? null : { line: opening.line });
  /** The height of all that can be scrolled, when it was last looked at. */
  const size = useRef(0);

  const rows = height === 0 ? opening : rowsAt(follow ? null : folds.rowOf(top), total, height);
  // Looked at while the rows of before are still there.
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
    // By script: the page's policy allows no style attributes.
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
    /** Shows a line, with some of those before it. */
    goTo(line: number) {
      goal.current = { line };
      setFollow(false);
      setTop(stepOf(line));
      redraw(0);
    },
    onScroll() {
      const element = box.current!;
      const { scrollTop, scrollHeight, clientHeight } = element;
      const atEnd = rows.last >= total && scrollHeight - scrollTop - clientHeight < END_PX;
      // Where lines came or went meanwhile, it was not the reader who left the end.
      if (atEnd || scrollHeight === size.current) setFollow(atEnd);
      size.current = scrollHeight;
      const row = rowInSight(element);
      const line = row?.line ?? folds.lineOf(rowAt(element, total));
      if (!row) goal.current = { line, offset: 0 };
      setTop(stepOf(line));
    },
  };
}

/** Scrolls so that a row is where it was before the others changed. */
function keepInPlace(box: HTMLElement, { line, offset = box.clientHeight / 3 }: Anchor): void {
  const row = box.querySelector(`#L${line}`);
  if (!row) return;
  const moved = row.getBoundingClientRect().top - box.getBoundingClientRect().top - offset;
  if (Math.abs(moved) >= 1) box.scrollTop += moved;
}
