import { AppError } from "../base/errors.ts";
import { type PasswordCost, type PasswordJob, runPasswordJob } from "./password_job.ts";

/** Hashes passwords with Argon2id, and checks them, beside the event loop. */
export interface Passwords {
  /** The hash in its usual encoding, with salt and cost. */
  hash(password: string): Promise<string>;
  /** Whether `password` is the one of `encoded`. For null it is not, after the same time. */
  verify(password: string, encoded: string | null): Promise<boolean>;
}

/** What OWASP recommends for Argon2id: about 50 ms on a small machine. */
const OWASP_COST: PasswordCost = { memoryKib: 19_456, iterations: 2 };
/** Some seconds of work: whoever comes then is told to come again, rather than to wait for minutes. */
const WAITING_MAX = 100;
/** Cheaper work is done at once; only tests ask for it. */
const INLINE_MEMORY_KIB_MAX = 1024;

export function createPasswords(
  cost: PasswordCost = OWASP_COST,
  run: typeof runPasswordJob = cost.memoryKib <= INLINE_MEMORY_KIB_MAX
    ? runPasswordJob
    : createWorkerQueue(),
): Passwords {
  const hash = (password: string) => run({ kind: "hash", password, cost }) as Promise<string>;
  return {
    hash,
    async verify(password, encoded) {
      // Nobody's is empty, and Argon2 is not made for it.
      if (password === "") return false;
      if (encoded !== null) return await run({ kind: "verify", password, encoded }) as boolean;
      await hash(password);
      return false;
    },
  };
}

/**
 * One job after the other in one worker, so that a flood of sign-ins leaves a core to everybody
 * else. The worker lasts as long as there are jobs: it neither holds memory nor keeps a process up.
 */
function createWorkerQueue(): (job: PasswordJob) => Promise<string | boolean> {
  let worker: Worker | null = null;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function runNext(job: PasswordJob): Promise<string | boolean> {
    worker ??= new Worker(new URL("./password_worker.ts", import.meta.url), { type: "module" });
    try {
      return await ask(worker, job);
    } catch (error) {
      worker.terminate();
      worker = null;
      throw error;
    } finally {
      if (--waiting === 0) {
        worker?.terminate();
        worker = null;
      }
    }
  }

  return (job) => {
    if (waiting >= WAITING_MAX) return Promise.reject(busy());
    waiting++;
    const mine = last.then(() => runNext(job));
    last = mine.catch(() => {});
    return mine;
  };
}

const busy = () =>
  new AppError(503, "errors.passwords_busy", {}, { headers: { "Retry-After": "10" } });

function ask(worker: Worker, job: PasswordJob): Promise<string | boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<string | boolean>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(event.message));
  };
  worker.postMessage(job);
  return promise;
}
