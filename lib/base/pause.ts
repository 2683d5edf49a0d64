/** How long a computation may run before it must yield to other work. */
const TURN_MS = 8;

export interface Pause {
  /** Whether it is time to yield. Cheap enough to call for each of a million lines. */
  isDue(): boolean;
  /** Yields to other work. */
  take(): Promise<void>;
}

/**
 * Creates a pause for a long computation, which calls it between its steps so that requests are
 * answered meanwhile.
 */
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
