/** Lines that a page without script shows at once. */
export const WINDOW_LINES = 2_000;
/** More lines that it shows while it follows a task. */
export const FOLLOWED_LINES = 10_000;

/** Which lines of a task's output a page shows; lines count from 1. */
export interface LogWindow {
  from: number;
  /** The last one that there is now: `from` - 1 where there is none. */
  to: number;
  /** All that are stored now. */
  lines: number;
  /** Whether none will come. */
  closed: boolean;
  /** Whether those that come are shown, too. */
  follows: boolean;
}

/** The window that begins with line `wanted`; the newest lines without one, or past the end. */
export function logWindow(
  wanted: number | null,
  { lines, closed }: { lines: number; closed: boolean },
): LogWindow {
  const newest = Math.max(1, lines - WINDOW_LINES + 1);
  const isThere = wanted !== null && wanted <= (closed ? lines : lines + 1);
  const from = isThere ? Math.max(1, wanted) : newest;
  const to = Math.min(lines, from + WINDOW_LINES - 1);
  return { from, to, lines, closed, follows: !closed && to === lines };
}

/** Where the window before begins; null for the first one. */
export const olderFrom = ({ from }: LogWindow): number | null =>
  from > 1 ? Math.max(1, from - WINDOW_LINES) : null;

/** Where the window after begins; null for the last one, and for one that follows. */
export const newerFrom = ({ to, lines, closed, follows }: LogWindow): number | null =>
  to < lines || !closed && !follows ? to + 1 : null;
