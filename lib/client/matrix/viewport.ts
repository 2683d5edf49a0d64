import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type MatrixData, type MatrixWindow, wholeOf } from "./data.ts";

/** Sizes of rows and columns, as in matrix.css. */
const CELL_PX = 28;
const HOST_PX = 208;
const HEAD_PX = 192;
/** Rows and columns are added and removed in steps, because each change costs part of a frame. */
const STEP = 4;
/** Number of rows and columns rendered beyond the visible ones. */
const AHEAD = 4;

const spanOf = (at: number, size: number, count: number): [number, number] => {
  const first = Math.max(0, Math.floor(at / CELL_PX / STEP) * STEP - AHEAD);
  const end = Math.ceil((at + size) / CELL_PX / STEP) * STEP + AHEAD;
  return [Math.min(first, count), Math.min(end, count)];
};

/**
 * Returns the part of a matrix to render while it is scrolled: the visible part and a little more,
 * between gaps as large as the rest. Renders all of `data` until the size of the frame is known.
 */
export function useMatrixView(data: MatrixData) {
  const frame = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const [window, setWindow] = useState<MatrixWindow | null>(null);
  const { hosts: { length: rows }, columns: { length: columns } } = data;

  const look = useCallback(() => {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = frame.current!;
    const next: MatrixWindow = {
      rows: spanOf(scrollTop, clientHeight, rows),
      columns: spanOf(scrollLeft, clientWidth, columns),
    };
    setWindow((now) =>
      String(now && [now.rows, now.columns]) ===
          String([next.rows, next.columns])
        ? now
        : next
    );
  }, [rows, columns]);

  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(frame.current!);
    look();
    return () => observer.disconnect();
  }, [look]);

  const shown = window && fits(window, data) ? window : wholeOf(data);
  const isWindowed = shown === window;

  useLayoutEffect(() => {
    if (!isWindowed) return;
    // Set by script, because the page's policy allows no style attributes.
    const element = table.current!;
    element.style.width = `${HOST_PX + columns * CELL_PX}px`;
    const px = (count: number) => `${count * CELL_PX}px`;
    const gap = (side: string) => element.querySelector<HTMLElement>(`[data-gap=${side}]`)!;
    gap("left").style.width = px(shown.columns[0]);
    gap("right").style.width = px(columns - shown.columns[1]);
    gap("above").style.height = px(shown.rows[0]);
    gap("below").style.height = px(rows - shown.rows[1]);
  }, [isWindowed, columns, rows, ...shown.columns, ...shown.rows]);

  /** Scrolls as little as needed to bring a cell into view. */
  const showCell = useCallback((row: number, column: number) => {
    const box = frame.current!;
    box.scrollTop = near(box.scrollTop, row, box.clientHeight - HEAD_PX);
    if (column >= 0) box.scrollLeft = near(box.scrollLeft, column, box.clientWidth - HOST_PX);
    look();
  }, [look]);

  return { frame, table, window: shown, look, showCell };
}

const fits = ({ rows, columns }: MatrixWindow, { hosts, columns: all }: MatrixData): boolean =>
  rows[1] <= hosts.length && columns[1] <= all.length;

function near(at: number, n: number, size: number): number {
  const [from, to] = [n * CELL_PX, (n + 1) * CELL_PX];
  return from < at ? from : to > at + size ? to - size : at;
}
