import { after } from "./time/after.ts";

/** Wakes the one caller that waits for it. */
interface Bell {
  /** Wakes the waiting caller, or the next one that waits. */
  ring(): void;
  /** Resolves to whether it rings within `limitMs`. */
  wait(limitMs?: number): Promise<boolean>;
}

/**
 * Creates a bell for code that repeatedly waits for one of several events. `Promise.race` is not
 * used because each call leaks memory on every promise that is still pending.
 */
export function createBell(): Bell {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async wait(limitMs = Infinity) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const release = after(limitMs, resolve);
        await promise;
        release();
      }
      const was = rung;
      rung = false;
      return was;
    },
  };
}
