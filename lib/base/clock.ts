export interface Clock {
  /** What the machine's clock says; that may be set back or forward at any time. */
  now(): Date;
  /** Milliseconds that only ever grow: for how long something takes, within this process. */
  ticks(): number;
}

/**
 * Tells whether the clock was set back since the last time it was asked; at first yes, since nobody
 * knows what happened before. What was planned by the former time must then be planned anew.
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
