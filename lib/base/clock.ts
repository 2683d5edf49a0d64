export interface Clock {
  /** The time of the system clock, which may be set back or forward at any time. */
  now(): Date;
  /** Milliseconds that only ever increase; for measuring durations within this process. */
  ticks(): number;
}

/**
 * Returns a function that reports whether the clock was set back since its last call. The first
 * call returns true because nothing is known about the time before. Times that were planned with
 * the old clock must then be planned again.
 */
export function watchClock(clock: Pick<Clock, "now">): () => boolean {
  let latest = Infinity;
  return () => {
    const now = clock.now().getTime();
    const isBack = now < latest;
    latest = now;
    return isBack;
  };
}

/** Latest time that is output. A later one can only come from invalid data. */
export const TIME_MAX = Date.UTC(2200, 0);

/** Returns a stored time as ISO text, clamped to the range from 1970 to `TIME_MAX`. */
export const isoTime = (ms: number): string =>
  new Date(Math.min(Math.max(0, Number(ms) || 0), TIME_MAX)).toISOString();
