import { AppError } from "../../base/errors.ts";
import { sleep } from "../../base/time/pause.ts";
import { type Memory, memoryPart } from "../memory.ts";

/** Retries while another process writes: a few seconds in total, with increasing delays. */
const ATTEMPTS_MAX = 100;
const WAIT_MAX_MS = 50;

/** Whether the latest write has found the disk full. */
const disk = memoryPart("disk", () => ({ isFull: false }));

/**
 * Writes, and repeats a refused write unchanged, because none of it was written. SQLite immediately
 * refuses a commit with checks if another process has just written. Throws 503 if the disk is full.
 */
export async function patiently<T>(memory: Memory, write: () => Promise<T>): Promise<T> {
  const state = disk.of({ memory });
  for (let attempt = 1;; attempt++) {
    try {
      const written = await write();
      state.isFull = false;
      return written;
    } catch (error) {
      if (isFull(error)) {
        state.isFull = true;
        throw storeFull(error);
      }
      if (!isLocked(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    await sleep(Math.random() * Math.min(attempt, WAIT_MAX_MS));
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("database is locked");

const storeFull = (cause: unknown): AppError =>
  Object.assign(new AppError(503, "errors.store_full"), { cause });

/** Whether the latest write found the disk of the store full or read-only. */
export const isFullNow = (store: { memory: Memory }): boolean => disk.of(store).isFull;

/** Whether nothing was stored because the disk of the store is full or read-only. */
export const isStoreFull = (error: unknown): boolean =>
  error instanceof AppError && error.key === "errors.store_full";

/** Whether the error is how SQLite or Deno report that nothing more can be written. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && /disk is full|disk I\/O error|read-?only/i.test(error.message);
