import { whenAborted } from "./abort.ts";

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
      await sleep(0);
      since = performance.now();
    },
  };
}

/** Waits for some time, or until `signal` aborts. Without `ref`, the process may end meanwhile. */
export async function sleep(
  delayMs: number,
  { signal, ref = true }: { signal?: AbortSignal; ref?: boolean } = {},
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, delayMs)); // Deno warns about less than 0
  if (!ref) Deno.unrefTimer(timer);
  const forget = signal && whenAborted(signal, resolve);
  await promise;
  clearTimeout(timer);
  forget?.();
}
