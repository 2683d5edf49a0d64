import { useLayoutEffect, useRef } from "react";
import type { LogStore } from "./log.ts";
import { type Anchor, rowPx } from "./viewport.ts";

/**
 * The elements of a log's box: the box, and the gaps above and below its rows. After each rendering
 * the box shows its end, or the top row stays in position, even if lines above it were added or
 * wrapped.
 */
export function useLogBox({ viewport, outline: { folds } }: LogStore) {
  const box = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const { first, last } = viewport.rows.value;
  const { rows: total } = folds.value;
  const follow = viewport.follow.value;
  // Measured while the previous rows are still rendered.
  const anchor = viewport.anchor(() => rowInSight(box.current!));

  useLayoutEffect(() => {
    const element = box.current!;
    const px = rowPx(total);
    // Set by script, because the page's policy allows no style attributes.
    above.current!.style.height = `${(first - 1) * px}px`;
    below.current!.style.height = `${(total - last) * px}px`;
    if (follow) element.scrollTop = element.scrollHeight;
    else if (anchor) keepInPlace(element, anchor);
    viewport.placed(element.scrollHeight);
  });

  useLayoutEffect(() => {
    const measure = () => viewport.height.value = box.current!.clientHeight;
    const observer = new ResizeObserver(measure);
    observer.observe(box.current!);
    measure();
    return () => observer.disconnect();
  }, []);

  return {
    box,
    above,
    below,
    onScroll: () => viewport.scrolled(box.current!, rowInSight(box.current!)),
  };
}

/** Returns the first visible row and its position; null if there is only a gap. */
function rowInSight(box: HTMLElement): Required<Anchor> | null {
  const { top, bottom } = box.getBoundingClientRect();
  for (const row of box.querySelectorAll(".log-line")) {
    const place = row.getBoundingClientRect();
    if (place.top >= bottom) return null;
    if (place.bottom > top + 1) return { line: Number(row.id.slice(1)), offset: place.top - top };
  }
  return null;
}

/** Scrolls so that a row keeps its position although other rows have changed. */
function keepInPlace(box: HTMLElement, { line, offset = box.clientHeight / 3 }: Anchor): void {
  const row = box.querySelector(`#L${line}`);
  if (!row) return;
  const moved = row.getBoundingClientRect().top - box.getBoundingClientRect().top - offset;
  if (Math.abs(moved) >= 1) box.scrollTop += moved;
}
