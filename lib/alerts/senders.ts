import { sleep } from "../base/pause.ts";

const SLOW_PER_RECEIVER_MAX = 2;
/** Slow attempts of one project, so that its receivers leave room for those of others. */
const SLOW_PER_PROJECT_MAX = 8;
const ALL_MAX = 32;
/** Time for which the outbox waits for an attempt before it goes on with others. */
const PATIENCE_MS = 500;

interface Receiver {
  name: string;
  /** The project whose alert it is; null for one of the server. */
  project: number | null;
}

export type Senders = ReturnType<typeof createSenders>;

/**
 * Keeps the attempts that are under way apart, so that a receiver that does not answer delays no
 * other one.
 */
export function createSenders(patienceMs = PATIENCE_MS) {
  const open = new Set<Promise<void>>();
  /** Number of attempts that have taken long, by receiver and by project. */
  const slow = new Map<string, number>();
  const ofProject = (project: number | null) => `project ${project}`;
  const countSlow = (name: string, added: number) => {
    const count = (slow.get(name) ?? 0) + added;
    if (count === 0) slow.delete(name);
    else slow.set(name, count);
  };
  return {
    /** Whether the next attempt has to wait, because too many others have no answer yet. */
    isBusy: ({ name, project }: Receiver): boolean =>
      open.size >= ALL_MAX || (slow.get(name) ?? 0) >= SLOW_PER_RECEIVER_MAX ||
      (slow.get(ofProject(project)) ?? 0) >= SLOW_PER_PROJECT_MAX,

    /** Starts an attempt. Resolves when it has ended, or when others should go on. */
    async start({ name, project }: Receiver, attempt: () => Promise<void>): Promise<void> {
      const ended = new AbortController();
      let isSlow = false;
      const work = attempt().finally(() => {
        open.delete(work);
        if (isSlow) [name, ofProject(project)].forEach((one) => countSlow(one, -1));
        ended.abort();
      });
      open.add(work);
      // It handles failures of the receiver. Without the store, its row stays and is due again.
      work.catch(() => {});
      await sleep(patienceMs, { signal: ended.signal });
      if (ended.signal.aborted) return await work;
      isSlow = true;
      [name, ofProject(project)].forEach((one) => countSlow(one, 1));
    },

    /** Resolves when all attempts have ended. */
    settled: async (): Promise<void> => void await Promise.allSettled(open),
  };
}
