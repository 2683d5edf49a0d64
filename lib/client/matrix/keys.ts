import { columnPx, type MatrixStore, scrollToCell } from "./matrix.ts";

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
 * yet get the focus once they are: call `settle` after each rendering.
 */
export function createMatrixKeys(matrix: MatrixStore, frame: { current: HTMLElement | null }) {
  let at: Place = { row: 0, column: 0 };
  let isWanted = false;
  const find = (selector: string) => frame.current?.querySelector<HTMLElement>(selector);
  const findAt = () => find(`[data-at="${atOf(at)}"]`);

  /** Makes a cell the only tab stop, and focuses it if a key moved there. */
  function stopAt(cell: HTMLElement) {
    for (const stop of frame.current!.querySelectorAll<HTMLElement>("[data-at][tabindex='0']")) {
      stop.tabIndex = -1;
    }
    cell.tabIndex = 0;
    if (!isWanted || cell.dataset.at !== atOf(at)) return;
    isWanted = false;
    cell.focus({ preventScroll: true });
  }

  return {
    settle() {
      const cell = findAt() ?? find("td [data-at]");
      if (cell?.hasAttribute("tabindex")) stopAt(cell);
    },
    handlers: {
      onKeyDown(event: KeyboardEvent) {
        const name = event.ctrlKey ? `Control+${event.key}` : event.key;
        const move = MOVES[name];
        if (!move || event.altKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const { hosts, columns } = matrix.data.value;
        const last = { row: hosts.length - 1, column: columns.length - 1 };
        const { row, column } = move(at, last);
        at = {
          row: Math.max(0, Math.min(row, last.row)),
          column: Math.max(-1, Math.min(column, last.column)),
        };
        isWanted = true;
        scrollToCell(frame.current!, at.row, at.column, columnPx(matrix.data.value));
        matrix.look(frame.current!);
        const cell = findAt();
        if (cell) stopAt(cell);
      },
      /** Follows a focus that was set by a pointer, or on the return from a result. */
      onFocusIn({ target }: FocusEvent) {
        const place = (target as HTMLElement).dataset.at?.split(",").map(Number);
        if (place) at = { row: place[0], column: place[1] };
      },
    },
  };
}
