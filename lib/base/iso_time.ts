/** The last moment that is told. A time that comes later has been made up. */
export const TIME_MAX = Date.UTC(2200, 0);

/** A stored time as text; for one that no clock shows, the nearest that is told. */
export const isoTime = (ms: number): string =>
  new Date(Math.min(Math.max(0, Number(ms) || 0), TIME_MAX)).toISOString();
