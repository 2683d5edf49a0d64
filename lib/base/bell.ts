import { after } from "./after.ts";

/** Wakes the one who waits for it. */
interface Bell {
  /** A ring that nobody waits for is heard by who waits next. */
  ring(): void;
  /** Whether it rings within `limitMs`. */
  heard(limitMs?: number): Promise<boolean>;
}

/**
 * What waits here for one of several things to happen, again and again. `Promise.race` must not: it
 * leaves something behind on each promise that is still open, every time.
 */
export function createBell(): Bell {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async heard(limitMs = Infinity) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const forget = after(limitMs, resolve);
        await promise;
        forget();
      }
      const was = rung;
      rung = false;
      return was;
    },
  };
}
