import { argon2id, argon2Verify } from "hash-wasm";

/** One piece of work with a password, as it is sent to the worker. */
export type PasswordJob =
  | { kind: "hash"; password: string; cost: PasswordCost }
  | { kind: "verify"; password: string; encoded: string };

/** How much work an attacker has with each guess. */
export interface PasswordCost {
  memoryKib: number;
  iterations: number;
}

/** The encoded hash, or whether the password is right. */
export function runPasswordJob(job: PasswordJob): Promise<string | boolean> {
  if (job.kind === "verify") return argon2Verify({ password: job.password, hash: job.encoded });
  return argon2id({
    password: job.password,
    salt: crypto.getRandomValues(new Uint8Array(16)),
    memorySize: job.cost.memoryKib,
    iterations: job.cost.iterations,
    parallelism: 1,
    hashLength: 32,
    outputType: "encoded",
  });
}
