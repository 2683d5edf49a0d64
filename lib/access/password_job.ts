import { argon2id, argon2Verify, bcryptVerify } from "hash-wasm";

/** One password to hash or verify, as it is sent to the worker. */
export type PasswordJob =
  | { kind: "hash"; password: string; cost: PasswordCost }
  | { kind: "verify"; password: string; encoded: string };

/** Work that each guess costs an attacker. */
export interface PasswordCost {
  memoryKib: number;
  iterations: number;
}

/** Whether a hash is from another server, made with bcrypt at a cost that a sign-in can afford. */
export const isBcrypt = (encoded: string): boolean =>
  /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/.test(encoded);

/** Returns the encoded hash, or whether the password is correct. */
export function runPasswordJob(job: PasswordJob): Promise<string | boolean> {
  if (job.kind === "verify") {
    const verify = isBcrypt(job.encoded) ? bcryptVerify : argon2Verify;
    return verify({ password: job.password, hash: job.encoded });
  }
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
