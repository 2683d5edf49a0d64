import { AppError, stale } from "../base/errors.ts";
import { sleep } from "../base/time/pause.ts";
import { type Memory, memoryPart } from "./memory.ts";
import type { Atomic, Store } from "./store.ts";

const ATTEMPTS_MAX = 64;

/** Result of an attempt that lost to someone else, who wrote the same rows first. */
export const OVERTAKEN = Symbol("overtaken");

/**
 * Attempts something until nobody else is faster, and returns the result. Each attempt reads again.
 * Throws `stale` after `attemptsMax` attempts.
 */
export async function retryOvertaken<T>(
  attempt: () => Promise<T | typeof OVERTAKEN>,
  attemptsMax = ATTEMPTS_MAX,
): Promise<T> {
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const result = await attempt();
    if (result !== OVERTAKEN) return result;
    if (attempts > 2) await sleep(Math.random() * attempts);
  }
  throw stale();
}

/**
 * Reads, decides and commits, and starts again if a checked row has changed. `attempt` adds to the
 * operation and throws to give up. It may run several times.
 */
export const transact = <T>(
  kv: Store,
  attempt: (op: Atomic) => Promise<T> | T,
): Promise<T> =>
  retryOvertaken(async () => {
    const op = kv.atomic();
    const result = await attempt(op);
    return (await op.commit()).ok ? result : OVERTAKEN;
  });

/** Commits once. Throws `stale` if a checked row has changed. */
export async function commitOnce(op: Atomic): Promise<Deno.KvCommitResult> {
  const committed = await op.commit();
  if (!committed.ok) throw stale();
  return committed;
}

/** Resolves to OVERTAKEN if `work` throws because someone else was faster: see `isLate`. */
export async function orOvertaken<T>(
  work: Promise<T>,
  isOvertaken: (error: AppError) => boolean = isLate,
): Promise<T | typeof OVERTAKEN> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && isOvertaken(error)) return OVERTAKEN;
    throw error;
  }
}

/** Whether the object of a decision is gone or in another state by now. */
const isLate = ({ status }: AppError): boolean => status === 404 || status === 409;

/** Whether a commit has failed because a checked row has changed. */
export const isStale = ({ key }: AppError): boolean => key === stale().key;

interface Turns {
  running: number;
  /** Starts each work that waits, in the order of the calls. */
  waiting: (() => void)[];
}

const turnsByName = memoryPart("turns", () => new Map<string, Turns>());

/**
 * Does `work` once fewer than `parallelMax` earlier ones of the same name are under way, so that
 * callers in one process queue up instead of conflicting in the store. Other processes are not
 * affected.
 */
export async function inTurn<T>(
  store: { memory: Memory },
  name: string,
  work: () => Promise<T>,
  parallelMax = 1,
): Promise<T> {
  const byName = turnsByName.of(store);
  const turns = byName.get(name) ?? { running: 0, waiting: [] };
  byName.set(name, turns);
  if (turns.running < parallelMax) turns.running++;
  else await new Promise<void>((resolve) => turns.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = turns.waiting.shift();
    if (next) next();
    else if (--turns.running === 0) byName.delete(name);
  }
}
