/** How long something may compute before others have their turn. */
const TURN_MS = 8;

export interface Pause {
  /** Whether it is time for others; cheap enough to be asked for each of a million lines. */
  isDue(): boolean;
  /** Lets them. */
  take(): Promise<void>;
}

/** For what computes long: between its steps it asks, and lets requests be answered meanwhile. */
export function createPause(): Pause {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since >= TURN_MS,
    async take() {
      await new Promise((resolve) => setTimeout(resolve, 0));
      since = performance.now();
    },
  };
}
