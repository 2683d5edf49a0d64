/** Number of lines that a page without script shows. */
export const WINDOW_LINES = 2_000;
/** Number of further lines that it shows while it follows a task. */
export const FOLLOWED_LINES = 10_000;

/** Range of lines of a task's output that a page shows; lines count from 1. */
export interface LogWindow {
  from: number;
  /** The last stored line of the range; `from` - 1 if there is none. */
  to: number;
  /** Number of all stored lines. */
  lines: number;
  /** Whether no further line will come. */
  closed: boolean;
  /** Whether new lines are shown, too. */
  follows: boolean;
}

/**
 * Returns the window that begins with line `wanted`; the one with the latest lines if that is null
 * or past the end.
 */
export function logWindow(
  wanted: number | null,
  { lines, closed }: { lines: number; closed: boolean },
): LogWindow {
  const isThere = wanted !== null && wanted <= (closed ? lines : lines + 1);
  const from = isThere ? Math.max(1, wanted) : lastFrom(lines);
  const to = Math.min(lines, from + WINDOW_LINES - 1);
  return { from, to, lines, closed, follows: !closed && to === lines };
}

/** Returns the first line of the last window. */
export const lastFrom = (lines: number): number => Math.max(1, lines - WINDOW_LINES + 1);

/** Returns the first line of the window before; null for the first window. */
export const olderFrom = ({ from }: LogWindow): number | null =>
  from > 1 ? Math.max(1, from - WINDOW_LINES) : null;

/**
 * Returns the first line of the window after; null for the last window, and for one that follows.
 */
export const newerFrom = ({ to, lines, closed, follows }: LogWindow): number | null =>
  to < lines || !closed && !follows ? to + 1 : null;
