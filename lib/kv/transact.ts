import { stale } from "../base/errors.ts";

const ATTEMPTS_MAX = 64;

/**
 * Reads, decides and commits, and starts again if a checked row has changed. `attempt` adds to the
 * operation and throws to give up. It may run several times.
 */
export async function transact<T>(
  kv: Deno.Kv,
  attempt: (op: Deno.AtomicOperation) => Promise<T> | T,
): Promise<T> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
    const op = kv.atomic();
    const result = await attempt(op);
    if ((await op.commit()).ok) return result;
    if (attempts > 2) await pause(Math.random() * attempts);
  }
  throw stale();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
