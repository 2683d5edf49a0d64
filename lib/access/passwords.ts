import { AppError } from "../base/errors.ts";
import { createSlots } from "../store/limiters/slots.ts";
import type { Memory } from "../store/memory.ts";
import { inTurn } from "../store/transact.ts";
import { type PasswordCost, runPasswordJob } from "./password_job.ts";

/** Hashes and verifies passwords with Argon2id outside the event loop. */
export interface Passwords {
  /** Returns the hash in its usual encoding, with salt and cost. */
  hash(password: string): Promise<string>;
  /** Returns whether `password` matches `encoded`. For null it is false, after the same time. */
  verify(password: string, encoded: string | null): Promise<boolean>;
}

/** Recommendation of OWASP for Argon2id, which takes about 50 ms on a small machine. */
const OWASP_COST: PasswordCost = { memoryKib: 19_456, iterations: 2 };
/** Some seconds of work. Further sign-ins are asked to try again instead of waiting for minutes. */
const WAITING_MAX = 100;

export function createPasswords(
  store: { memory: Memory },
  cost: PasswordCost = OWASP_COST,
  run: typeof runPasswordJob = createQueue(store),
): Passwords {
  const hash = (password: string) => run({ kind: "hash", password, cost }) as Promise<string>;
  return {
    hash,
    async verify(password, encoded) {
      // No account has an empty password, and Argon2 does not support one.
      if (password === "") return false;
      if (encoded !== null) return await run({ kind: "verify", password, encoded }) as boolean;
      await hash(password);
      return false;
    },
  };
}

const slots = createSlots("passwords");

/**
 * Creates a queue that runs one job after the other, so that a flood of sign-ins leaves a core to
 * everyone else.
 */
const createQueue = (store: { memory: Memory }): typeof runPasswordJob => async (job) => {
  const leave = slots.take(store, [{ of: "all", max: WAITING_MAX, full: busy }]);
  return await inTurn(store, "passwords", () => runPasswordJob(job)).finally(leave);
};

const busy = () =>
  new AppError(503, "errors.passwords_busy", {}, { headers: { "Retry-After": "10" } });
