import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { isBcrypt, verifyBcrypt } from "./bcrypt.ts";

/** One password to hash or verify. */
export type PasswordJob =
  | { kind: "hash"; password: string; cost: PasswordCost }
  | { kind: "verify"; password: string; encoded: string };

/** Work that each guess costs an attacker. */
export interface PasswordCost {
  memoryKib: number;
  iterations: number;
}

const HASH_BYTES = 32;
/** TypeScript does not know this form of a key yet. */
const SECRET = "raw-secret" as "raw";
const ENCODED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/;

/** Returns the encoded hash, or whether the password is correct. The event loop stays free. */
export async function runPasswordJob(job: PasswordJob): Promise<string | boolean> {
  if (job.kind === "verify") return await verify(job.password, job.encoded);
  const { password, cost } = job;
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const hash = await argon2id(password, salt, cost);
  const parameters = `m=${cost.memoryKib},t=${cost.iterations},p=1`;
  return `$argon2id$v=19$${parameters}$${toBase64(salt)}$${toBase64(hash)}`;
}

async function verify(password: string, encoded: string): Promise<boolean> {
  if (isBcrypt(encoded)) return await verifyBcrypt(password, encoded);
  const [, memoryKib, iterations, salt, hash] = ENCODED.exec(encoded) ?? [];
  if (!hash) throw new Error("A password is stored in an unknown form.");
  const cost = { memoryKib: Number(memoryKib), iterations: Number(iterations) };
  return timingSafeEqual(
    await argon2id(password, Buffer.from(salt, "base64"), cost),
    Buffer.from(hash, "base64"),
  );
}

/** Deno computes it in a thread of its own, and returns the memory afterwards. */
async function argon2id(
  password: string,
  nonce: Uint8Array<ArrayBuffer>,
  { memoryKib, iterations }: PasswordCost,
): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(password);
  const key = await crypto.subtle.importKey(SECRET, bytes, "Argon2id", false, ["deriveBits"]);
  const how = { name: "Argon2id", nonce, memory: memoryKib, passes: iterations, parallelism: 1 };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, HASH_BYTES * 8));
}

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString("base64").replaceAll("=", "");
