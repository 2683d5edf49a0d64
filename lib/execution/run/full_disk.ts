import { isDiskFull, tryDisk } from "../../base/disk_space.ts";
import { sleep } from "../../base/pause.ts";
import { runError } from "./context.ts";
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

const isFull = ({ dataDir }: Pick<Machine, "dataDir">): Promise<boolean> =>
  tryDisk(dataDir).then(() => false, isDiskFull);

/** Many programs fail on a full disk without saying why. */
const lacksSpace = async (machine: Machine, error: unknown): Promise<boolean> =>
  isDiskFull(error) || await isFull(machine);
