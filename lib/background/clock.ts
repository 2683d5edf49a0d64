/**
 * Tells whether the clock was set back since the last time it was asked; at first yes, since nobody
 * knows what happened before. What was planned by the former time must then be planned anew.
 */
export function watchClock(clock: { now(): Date }): () => boolean {
  let latest = Infinity;
  return () => {
    const now = clock.now().getTime();
    const isBack = now < latest;
    latest = now;
    return isBack;
  };
}
