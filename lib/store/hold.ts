/**
 * A full disk holds runs. It used to end each running play within seconds, with its lines lost and
 * its hosts halfway. Now each commit of a run is repeated until there is space, and the lines
 * behind it hold the play. SQLite stores a refused commit not at all, so nothing is stored twice.
 *
 * After `CALLBOARD_FULL_DISK_SECONDS` the play is ended, with the disk as the reason. Its lines and
 * its end still wait. An empty file in the data folder names the task, needs no space, and lets a
 * restart give the same reason. A run that has no space before its play begins again with its first
 * phase. Requests and loops do not wait: 503 with the reason, or another attempt.
 *
 * A reserve that the server frees was rejected: any process can use up what it frees. While the
 * disk is full, no one can sign in or stop a task, and a play that needs space for its own files
 * may fail before it is held.
 */

import { after } from "../base/time/after.ts";
import { AppError } from "../base/errors.ts";
import { sleep } from "../base/time/pause.ts";
import { isStoreFull } from "./file/patience.ts";

/** Time between two attempts to store something on a full disk. */
const RETRY_MS = 1_000;

/** Holds back what a run stores while the disk of the store is full. */
export interface Hold {
  /** Repeats `work`, which stores everything or nothing, until the disk has space. */
  write<T>(work: () => Promise<T>): Promise<T>;
}

/** Stores everything immediately or fails. For work that its sender sends again. */
export const noHold: Hold = { write: (work) => work() };

interface HoldOptions {
  /** Longest time for which the disk may be full until the run ends. */
  limitMs: number;
  /** Once aborted, `write` throws the error of a full disk. */
  giveUp: AbortSignal;
  /** Called when the disk is found full. */
  onFull(): void;
  /** Called when the run ends because of the limit. Writes still wait for space. */
  onLate(): void;
}

/** Creates the hold of a run. `late` aborts with the reason of its end. */
export function createHold(
  { limitMs, giveUp, onFull, onLate }: HoldOptions,
): Hold & { late: AbortSignal } {
  const late = new AbortController();
  let cancelLimit: (() => void) | null = null;

  function limit() {
    if (cancelLimit) return;
    cancelLimit = after(limitMs, () => {
      late.abort(new AppError(503, "errors.run.disk_full"));
      onLate();
    });
    onFull();
  }

  function release() {
    cancelLimit?.();
    cancelLimit = null;
  }

  async function write<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const stored = await work();
        release();
        return stored;
      } catch (error) {
        if (isStoreFull(error) && !giveUp.aborted) limit();
        else {
          release();
          throw error;
        }
      }
      await sleep(RETRY_MS, { signal: giveUp });
    }
  }

  return { write, late: late.signal };
}
