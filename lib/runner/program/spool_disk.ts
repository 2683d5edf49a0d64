import { dirname } from "node:path";
import { after } from "../../base/time/after.ts";
import { isDiskFull } from "../../base/machine/disk_space.ts";
import { sleep } from "../../base/time/pause.ts";

/** Time between two attempts to write to a full disk. */
const RETRY_MS = 1_000;

/** Rules of a run for the full disk of its spool. */
export interface SpoolDiskOptions {
  /** Longest time for which the disk may be full. */
  waitMs: number;
  /** Called when the disk is found full. */
  onFull(): void;
  /** Called after the longest time. */
  onLate(): void;
}

/** Writes the files of a spool, and waits while the disk is full. */
export interface SpoolDisk {
  /** Whether the disk has been full for too long. */
  readonly isLate: boolean;
  /** Writes a file. Resolves to false without one once `isNeeded` is false. */
  write(path: string, text: string, isNeeded: () => boolean): Promise<boolean>;
  /** Ends all waits, whose files are not needed any more. */
  close(): void;
}

export function createSpoolDisk({ waitMs, onFull, onLate }: SpoolDiskOptions): SpoolDisk {
  const closing = new AbortController();
  let cancelLimit: (() => void) | null = null;
  let isLate = false;

  function limit() {
    if (cancelLimit || isLate) return;
    cancelLimit = after(waitMs, () => {
      isLate = true;
      onLate();
    });
    onFull();
  }

  function release() {
    cancelLimit?.();
    cancelLimit = null;
  }

  async function tryToWrite(path: string, text: string): Promise<boolean> {
    try {
      await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await Deno.writeTextFile(path, text, { mode: 0o600 });
      return true;
    } catch (error) {
      await Deno.remove(path).catch(() => {});
      if (isDiskFull(error)) return false;
      throw error;
    }
  }

  return {
    get isLate() {
      return isLate;
    },
    async write(path, text, isNeeded) {
      while (isNeeded() && !closing.signal.aborted) {
        if (await tryToWrite(path, text)) {
          release();
          return true;
        }
        limit();
        await sleep(RETRY_MS, { signal: closing.signal });
      }
      release();
      return false;
    },
    close() {
      closing.abort();
      release();
    },
  };
}
