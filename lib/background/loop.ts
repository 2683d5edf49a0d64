import { describeError, type Log } from "../log.ts";

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
}

const RETRY_MS = 5_000;
const SLEEP_MS_MAX = 60_000;

/** Work in the background: step after step, asleep in between, until it is stopped. */
export function startLoop({ name, log, step, sleepMsMax = SLEEP_MS_MAX }: LoopOptions): Loop {
  const closing = new AbortController();
  let woken = false;
  let endSleep = () => {};

  function wake() {
    woken = true;
    endSleep();
  }

  async function sleep(ms: number) {
    if (!woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(Math.max(ms, 0), sleepMsMax));
        endSleep = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    endSleep = () => {};
  }

  async function work() {
    while (!closing.signal.aborted) {
      woken = false;
      const idleMs = await step(closing.signal).catch((error) => {
        log("error", `${name}_failed`, describeError(error));
        return RETRY_MS;
      });
      if (!closing.signal.aborted) await sleep(idleMs);
    }
  }

  const working = work();
  return {
    wake,
    async stop() {
      closing.abort();
      wake();
      await working;
    },
  };
}
