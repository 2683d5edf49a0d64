import { whenAborted } from "../base/time/abort.ts";
import { createBell } from "../base/bell.ts";
import { describeError, type Log } from "../base/log.ts";
import { lengthen } from "./rows/short_rows.ts";
import type { Store } from "./store.ts";

interface WatchDeps {
  kv: Store;
  log: Log;
}

type Keys<T> = Readonly<{ [K in keyof T]: Deno.KvKey }>;
type Entries<T> = { [K in keyof T]: Deno.KvEntryMaybe<T[K]> };

/** Delay before a watch that failed twice is restarted. It grows with each further failure. */
const PAUSE_MS = 100;
const PAUSE_MS_MAX = 10_000;

/**
 * Yields these rows as they are now, and again when one of them is written by any server that
 * shares the store, until `signal` aborts or the store is closed. Of changes in quick succession,
 * only the last is reported.
 *
 * A watch that fails or ends is restarted without limit. Changes that it missed are visible in the
 * rows it then yields. The log reports the problem once.
 */
export async function* watchRows<T extends unknown[]>(
  { kv, log }: WatchDeps,
  rows: Keys<T>,
  signal: AbortSignal,
): AsyncGenerator<Entries<T>> {
  let failures = 0;
  let reason: unknown;
  const bell = createBell();
  const release = whenAborted(signal, bell.ring);
  try {
    while (!signal.aborted) {
      const begunAt = performance.now();
      try {
        const watch = kv.watch<T>([...rows]);
        if (failures === 1) {
          log("error", "watch_lost", { row: rows[0][0], ...describeError(reason) });
        }
        yield* readWatch(watch, signal);
        reason = new Error("The watch has ended");
      } catch (error) {
        // This process has closed its store, so no more changes will come.
        if (error instanceof Deno.errors.BadResource) return;
        reason = error;
      }
      if (performance.now() - begunAt > PAUSE_MS_MAX) failures = 0;
      if (failures > 0) await bell.wait(Math.min(PAUSE_MS * 2 ** failures, PAUSE_MS_MAX));
      failures++;
    }
  } finally {
    release();
  }
}

async function* readWatch<E extends Deno.KvEntryMaybe<unknown>[]>(
  watch: ReadableStream<E>,
  signal: AbortSignal,
): AsyncGenerator<E> {
  const reader = watch.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  const release = whenAborted(signal, cancel);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      read.value.forEach(lengthen);
      yield read.value;
    }
  } finally {
    release();
    cancel();
  }
}

/** Calls `changed` with these rows as they are now and whenever one of them is written. */
export function onChange<T extends unknown[]>(
  deps: WatchDeps,
  rows: Keys<T>,
  changed: (entries: Entries<T>) => void,
): { cancel(): Promise<void> } {
  const closing = new AbortController();
  const follow = async () => {
    for await (const entries of watchRows<T>(deps, rows, closing.signal)) changed(entries);
  };
  const following = follow();
  return {
    async cancel() {
      closing.abort();
      await following;
    },
  };
}
