import { sleep } from "../base/pause.ts";

const SLOW_PER_RECEIVER_MAX = 2;
const ALL_MAX = 32;
/** Time for which the outbox waits for an attempt before it goes on with others. */
const PATIENCE_MS = 500;

export type Senders = ReturnType<typeof createSenders>;

/**
 * Keeps the attempts that are under way apart, so that a receiver that does not answer delays no
 * other one.
 */
export function createSenders(patienceMs = PATIENCE_MS) {
  const open = new Set<Promise<void>>();
  /** Number of attempts that have taken long, by receiver. */
  const slow = new Map<string, number>();
  const countSlow = (receiver: string, added: number) => {
    const count = (slow.get(receiver) ?? 0) + added;
    if (count === 0) slow.delete(receiver);
    else slow.set(receiver, count);
  };
  return {
    /** Whether the next attempt has to wait, because too many others have no answer yet. */
    isBusy: (receiver: string): boolean =>
      open.size >= ALL_MAX || (slow.get(receiver) ?? 0) >= SLOW_PER_RECEIVER_MAX,

    /** Starts an attempt. Resolves when it has ended, or when others should go on. */
    async start(receiver: string, attempt: () => Promise<void>): Promise<void> {
      const ended = new AbortController();
      let isSlow = false;
      const work = attempt().finally(() => {
        open.delete(work);
        if (isSlow) countSlow(receiver, -1);
        ended.abort();
      });
      open.add(work);
      // It handles failures of the receiver. Without the store, its row stays and is due again.
      work.catch(() => {});
      await sleep(patienceMs, { signal: ended.signal });
      if (ended.signal.aborted) return await work;
      isSlow = true;
      countSlow(receiver, 1);
    },

    /** Resolves when all attempts have ended. */
    settled: async (): Promise<void> => void await Promise.allSettled(open),
  };
}
