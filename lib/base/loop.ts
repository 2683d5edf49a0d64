import { createBell } from "./bell.ts";
import { describeError, type Log } from "./log.ts";

export interface Loop {
  /** There may be something to do now. */
  wake(): void;
  /** Begins no further step, and waits for the one under way. */
  stop(): Promise<void>;
}

interface LoopOptions {
  /** Names it in the log. */
  name: string;
  log: Log;
  /** Does what is due; answers how long nothing will be, in milliseconds. */
  step(stop: AbortSignal): Promise<number>;
  /** Longest sleep: a timer does not know of a clock that was set, or a machine that slept. */
  sleepMsMax?: number;
  /** Before the next step after one that threw. */
  retryMs?: number;
}

const RETRY_MS = 5_000;
const SLEEP_MS_MAX = 60_000;

/** Work in the background: step after step, asleep in between, until it is stopped. */
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
