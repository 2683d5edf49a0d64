import { createBell } from "./bell.ts";
import { describeError, type Log } from "./log.ts";

export interface Loop {
  /** Starts the next step now, because there may be work to do. */
  wake(): void;
  /** Starts no further step and waits for the current one. */
  stop(): Promise<void>;
}

interface LoopOptions {
  /** Name of the loop in the log. */
  name: string;
  log: Log;
  /** Does the work that is due. Resolves to the milliseconds until more work is due. */
  step(stop: AbortSignal): Promise<number>;
  /** Longest sleep, because a timer does not notice a changed clock or a suspended machine. */
  sleepMsMax?: number;
  /** Delay before the next step after a step that threw. */
  retryMs?: number;
}

const RETRY_MS = 5_000;
const SLEEP_MS_MAX = 60_000;

/** Starts background work that repeats `step` and sleeps in between until it is stopped. */
export function startLoop(
  { name, log, step, sleepMsMax = SLEEP_MS_MAX, retryMs = RETRY_MS }: LoopOptions,
): Loop {
  const closing = new AbortController();
  const bell = createBell();

  async function work() {
    while (!closing.signal.aborted) {
      const idleMs = await step(closing.signal).catch((error) => {
        log("error", `${name}_failed`, describeError(error));
        return retryMs;
      });
      if (!closing.signal.aborted) {
        await bell.heard(Math.min(Math.max(idleMs, 0), sleepMsMax));
      }
    }
  }

  const working = work();
  return {
    wake: bell.ring,
    async stop() {
      closing.abort();
      bell.ring();
      await working;
    },
  };
}
