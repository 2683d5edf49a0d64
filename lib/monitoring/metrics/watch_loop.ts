import type { Metrics } from "./metrics.ts";

const INTERVAL_MS = 500;

/** Measures how late timers fire, until the returned function is called. */
export function watchEventLoop({ loopDelay }: Pick<Metrics, "loopDelay">): () => void {
  let due = performance.now() + INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    loopDelay.observe(Math.max(0, now - due) / 1000);
    due = now + INTERVAL_MS;
  }, INTERVAL_MS);
  Deno.unrefTimer(timer);
  return () => clearInterval(timer);
}
