import { createBell } from "../base/bell.ts";
import { describeError, type Log } from "../base/log.ts";
import { sleep } from "../base/time/pause.ts";
import { watchPass } from "./loop_watch.ts";
import { onChange } from "./watch.ts";
import type { Store } from "./store.ts";

export interface Loop {
  /** As in the log. */
  readonly name: string;
  /** Starts the next step now, because there may be work to do. */
  wake(): void;
  /** Starts no further step and waits for the current one. */
  stop(): Promise<void>;
}

/** A state of the store in which a loop does nothing. */
export interface LoopHold {
  /** Row that changes when the state may have ended. */
  row: Deno.KvKey;
  /** Resolves to 0 when there is no such state, and otherwise to the milliseconds until it ends. */
  waitMs(): Promise<number>;
}

interface LoopOptions {
  /** Name of the loop in the log. */
  name: string;
  /** Row that any server writes when there is more work. */
  wokenBy?: Deno.KvKey;
  /**
   * Does the work that is due. Resolves to the milliseconds until more work is due. Calls `goesOn`
   * if that takes longer than `stepMsMax` and it is getting on.
   */
  step(stop: AbortSignal, goesOn: () => void): Promise<number>;
  /** Time after which a step counts as standing still. */
  stepMsMax?: number;
  /** Longest sleep, because a timer does not notice a changed clock or a suspended machine. */
  sleepMsMax?: number;
  /** Shortest time between the beginnings of two steps. A step takes all that came meanwhile. */
  everyMs?: number;
  /** Delay before the next step after a step that threw. */
  retryMs?: number;
  /** Before each step, the loop waits until this hold has ended. */
  hold?: LoopHold;
}

const RETRY_MS = 5_000;
const SLEEP_MS_MAX = 60_000;

/**
 * Starts background work that repeats `step` until it is stopped. In between it sleeps until it is
 * woken, or until more work is due.
 */
export function startLoop(
  { kv, log }: { kv: Store; log: Log },
  {
    name,
    wokenBy,
    step,
    stepMsMax,
    sleepMsMax = SLEEP_MS_MAX,
    everyMs = 0,
    retryMs = RETRY_MS,
    hold,
  }: LoopOptions,
): Loop {
  const closing = new AbortController();
  const bell = createBell();

  async function nextStep(goesOn: () => void): Promise<number> {
    const heldMs = await hold?.waitMs() ?? 0;
    return heldMs > 0 ? heldMs : await step(closing.signal, goesOn);
  }

  async function work() {
    while (!closing.signal.aborted) {
      const begunAt = performance.now();
      const idleMs = await watchPass(kv, name, nextStep, stepMsMax).catch((error) => {
        log("error", `${name}_failed`, describeError(error));
        return retryMs;
      });
      if (!closing.signal.aborted) {
        await bell.wait(Math.min(Math.max(idleMs, 0), sleepMsMax));
        const earlyMs = begunAt + everyMs - performance.now();
        if (earlyMs > 0) await sleep(earlyMs, { signal: closing.signal });
      }
    }
  }

  const working = work();
  const rows = [wokenBy, hold?.row].filter((row) => row !== undefined);
  const watching = rows.length > 0 ? onChange({ kv, log }, rows, bell.ring) : null;
  return {
    name,
    wake: bell.ring,
    async stop() {
      closing.abort();
      bell.ring();
      await Promise.all([watching?.cancel(), working]);
    },
  };
}
