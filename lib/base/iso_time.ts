/** Latest time that is output. A later one can only come from invalid data. */
export const TIME_MAX = Date.UTC(2200, 0);

/** Returns a stored time as ISO text, clamped to the range from 1970 to `TIME_MAX`. */
export const isoTime = (ms: number): string =>
  new Date(Math.min(Math.max(0, Number(ms) || 0), TIME_MAX)).toISOString();
