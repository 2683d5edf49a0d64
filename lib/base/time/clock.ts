export interface Clock {
  /** The time of the system clock, which may be set back or forward at any time. */
  now(): Date;
  /** Milliseconds that only ever increase; for measuring durations within this process. */
  ticks(): number;
}

interface WatchedClock extends Clock {
  /**
   * Whether the clock was set back since the last call. Times that were planned with the old clock
   * must then be planned again. The first call returns true because nothing is known about the time
   * before.
   */
  isSetBack(): boolean;
}

/** Returns this clock, which then notices that it was set back behind a time that it returned. */
export function watchClock(clock: Clock): WatchedClock {
  let latest = Infinity;
  return {
    now() {
      const now = clock.now();
      latest = Math.max(latest, now.getTime());
      return now;
    },
    ticks: () => clock.ticks(),
    isSetBack() {
      const now = clock.now().getTime();
      const isBack = now < latest;
      latest = now;
      return isBack;
    },
  };
}

/** Latest time that is output. A later one can only come from invalid data. */
export const TIME_MAX = Date.UTC(2200, 0);

/** Returns a stored time as ISO text, clamped to the range from 1970 to `TIME_MAX`. */
export const isoTime = (ms: number): string =>
  new Date(Math.min(Math.max(0, Number(ms) || 0), TIME_MAX)).toISOString();
