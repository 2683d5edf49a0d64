import { useLayoutEffect, useRef } from "preact/hooks";
import type { MatrixData } from "./data.ts";

/** Number of rows that Page Up and Page Down skip. */
const PAGE = 15;

interface Place {
  row: number;
  /** The column -1 is the host's name. */
  column: number;
}

type Move = (at: Place, last: Place) => Place;

const MOVES: Record<string, Move> = {
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  PageUp: ({ row, column }) => ({ row: row - PAGE, column }),
  PageDown: ({ row, column }) => ({ row: row + PAGE, column }),
  Home: ({ row }) => ({ row, column: -1 }),
  End: ({ row }, { column }) => ({ row, column }),
  "Control+Home": () => ({ row: 0, column: -1 }),
  "Control+End": (_, last) => last,
};

const atOf = ({ row, column }: Place) => `${row},${column}`;

/**
 * Moves the focus in a matrix by keys. One cell is the tab stop, and cells that are not rendered
 * yet get the focus once they are. `showCell` scrolls one into view.
 */
export function useMatrixKeys(
  { hosts, columns }: MatrixData,
  frame: { current: HTMLElement | null },
  showCell: (row: number, column: number) => void,
) {
  const at = useRef<Place>({ row: 0, column: 0 });
  const isWanted = useRef(false);
  const find = (place: Place) =>
    frame.current?.querySelector<HTMLElement>(`[data-at="${atOf(place)}"]`);

  useLayoutEffect(() => {
    for (
      const stop of frame.current?.querySelectorAll<HTMLElement>("[data-at][tabindex='0']") ?? []
    ) {
      stop.tabIndex = -1;
    }
    const cell = find(at.current) ?? frame.current?.querySelector<HTMLElement>("td [data-at]");
    if (!cell?.hasAttribute("tabindex")) return;
    cell.tabIndex = 0;
    if (isWanted.current && cell.dataset.at === atOf(at.current)) {
      isWanted.current = false;
      cell.focus({ preventScroll: true });
    }
  });

  function onKeyDown(event: KeyboardEvent) {
    const name = event.ctrlKey ? `Control+${event.key}` : event.key;
    const move = MOVES[name];
    if (!move || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const last = { row: hosts.length - 1, column: columns.length - 1 };
    const { row, column } = move(at.current, last);
    at.current = {
      row: Math.max(0, Math.min(row, last.row)),
      column: Math.max(-1, Math.min(column, last.column)),
    };
    isWanted.current = true;
    showCell(at.current.row, at.current.column);
    const cell = find(at.current);
    if (!cell) return;
    isWanted.current = false;
    frame.current!.querySelectorAll<HTMLElement>("[data-at][tabindex='0']")
      .forEach((stop) => stop.tabIndex = -1);
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
  }

  /** Follows a focus that was set by a pointer, or on the return from a result. */
  function onFocusIn({ target }: FocusEvent) {
    const place = (target as HTMLElement).dataset.at?.split(",").map(Number);
    if (place) at.current = { row: place[0], column: place[1] };
  }

  return { onKeyDown, onFocusIn };
}
