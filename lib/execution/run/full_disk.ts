import { isDiskFull, tryDisk } from "../../base/machine/disk_space.ts";
import { sleep } from "../../base/time/pause.ts";
import { type RunContext, runError } from "./context.ts";
import type { RunEnvironment } from "./environment.ts";

/** Time between two attempts. */
const RETRY_MS = 1_000;

type Machine = Pick<RunEnvironment, "dataDir" | "fullDisk">;

/**
 * Does `work`, which leaves nothing behind when it fails, again and again while the disk is full.
 * After the longest time, throws the reason of the run's end. `onWait` is called once.
 */
export async function whenSpace<T>(
  machine: Machine,
  stop: AbortSignal,
  work: () => Promise<T>,
  onWait: (seconds: number) => Promise<void>,
): Promise<T> {
  let until: number | null = null;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (stop.aborted || !await lacksSpace(machine, error)) throw error;
      if (until === null) {
        until = performance.now() + machine.fullDisk.waitMs;
        await onWait(Math.round(machine.fullDisk.waitMs / 1000));
      }
    }
    do {
      if (performance.now() >= until) throw runError(machine.fullDisk.reason);
      await sleep(Math.min(RETRY_MS, until - performance.now()), { signal: stop });
      stop.throwIfAborted();
    } while (await isFull(machine));
  }
}

/** Does `work` after a play, which waits for space as all of a run does. */
export const withSpace = <T>(
  { env, supervision, say }: Pick<RunContext, "env" | "supervision" | "say">,
  work: () => Promise<T>,
): Promise<T> => whenSpace(env, supervision.stop, work, (seconds) => say(waitText(env, seconds)));

/** Text about a wait in the output of a run. */
export function waitText({ fullDisk }: Pick<Machine, "fullDisk">, seconds: number): string {
  const machine = fullDisk.reason === "errors.run.disk_full" ? "server" : "runner";
  return `The disk of the ${machine} is full. Waiting for space for up to ${seconds} seconds.`;
}

const isFull = ({ dataDir }: Pick<Machine, "dataDir">): Promise<boolean> =>
  tryDisk(dataDir).then(() => false, isDiskFull);

/** Many programs fail on a full disk without saying why. */
const lacksSpace = async (machine: Machine, error: unknown): Promise<boolean> =>
  isDiskFull(error) || await isFull(machine);
