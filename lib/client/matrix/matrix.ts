import { batch, computed, type ReadonlySignal, signal } from "@preact/signals-core";
import type { MatrixData } from "./data.ts";

/** Sizes of rows and columns, as in matrix.css. */
export const CELL_PX = 28;
export const HOST_PX = 208;
const HEAD_PX = 192;
/** Maximum number of columns that are twice as wide, so that their headings have two lines. */
const WIDE_MAX = 8;
/** Rows and columns are added and removed in steps, because each change costs part of a frame. */
const STEP = 4;
/** Number of rows and columns rendered beyond the visible ones. */
const AHEAD = 4;

type Span = [first: number, end: number];
type Frame = Pick<HTMLElement, "scrollTop" | "scrollLeft" | "clientHeight" | "clientWidth">;

export type MatrixStore = ReturnType<typeof createMatrix>;

/**
 * The state of a matrix that its parts share: its data, and the part of it to render, which is the
 * visible part and a little more. Without a script, that is all of `start`.
 */
export function createMatrix(start: MatrixData) {
  const data = signal(start);
  /** The JSON of the data. */
  let known = "";
  /** Whether the script runs. Then keys move the focus, and one cell is a tab stop. */
  const isGrid = signal(false);
  /** Scroll position and size of the frame; unknown on the server. */
  const frame = signal<Frame>({ scrollTop: 0, scrollLeft: 0, clientHeight: 0, clientWidth: 0 });
  const spanOf = (at: number, size: number, { length }: unknown[]): Span =>
    isGrid.value ? visibleSpan(at, size, length) : [0, length];
  const look = ({ scrollTop, scrollLeft, clientHeight, clientWidth }: Frame) => {
    frame.value = { scrollTop, scrollLeft, clientHeight, clientWidth };
  };
  return {
    data,
    isGrid,
    rows: span(() => spanOf(frame.value.scrollTop, frame.value.clientHeight, data.value.hosts)),
    columns: span(() =>
      spanOf(frame.value.scrollLeft, frame.value.clientWidth, data.value.columns)
    ),
    /** Takes note of the frame after it was scrolled or resized. */
    look,
    /** Takes the data of the page, as JSON, to render what is visible in the frame. */
    read(json: string, box: Frame) {
      batch(() => {
        if (json !== "" && json !== known) data.value = JSON.parse(known = json);
        isGrid.value = true;
        look(box);
      });
    },
  };
}

/** Returns a signal that changes only when one of the numbers does. */
function span(compute: () => Span): ReadonlySignal<Span> {
  let last: Span = [0, 0];
  return computed(() => {
    const next = compute();
    return String(next) === String(last) ? last : last = next;
  });
}

function visibleSpan(at: number, size: number, count: number): Span {
  // The frame may be scrolled further than new data reaches, until that is rendered.
  const from = Math.max(0, Math.min(at, count * CELL_PX - size));
  const first = Math.max(0, Math.floor(from / CELL_PX / STEP) * STEP - AHEAD);
  const end = Math.ceil((from + size) / CELL_PX / STEP) * STEP + AHEAD;
  return [first, Math.min(end, count)];
}

/** Whether the columns are wide. All of so few are rendered. */
export const isWide = ({ total }: Pick<MatrixData, "total">): boolean => total.columns <= WIDE_MAX;

export const columnPx = (data: Pick<MatrixData, "total">): number =>
  isWide(data) ? 2 * CELL_PX : CELL_PX;

/** Scrolls a frame as little as needed to bring a cell into view. */
export function scrollToCell(frame: Frame, row: number, column: number, width: number): void {
  frame.scrollTop = near(frame.scrollTop, row, frame.clientHeight - HEAD_PX, CELL_PX);
  if (column < 0) return;
  frame.scrollLeft = near(frame.scrollLeft, column, frame.clientWidth - HOST_PX, width);
}

function near(at: number, n: number, size: number, px: number): number {
  const [from, to] = [n * px, (n + 1) * px];
  return from < at ? from : to > at + size ? to - size : at;
}
