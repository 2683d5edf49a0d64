import { Buffer } from "node:buffer";
import { createCipheriv, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** Numbers of the format, which Ansible has used since 2.0. */
const SALT_BYTES = 32;
const ITERATIONS = 10_000;
const KEY_BYTES = 32;
const BLOCK_BYTES = 16;

/**
 * Returns `text` as `ansible-vault encrypt` writes it, whose start takes more CPU than all else in
 * a small run.
 */
export function encryptForVault(text: string, password: string, id = ""): string {
  const salt = randomBytes(SALT_BYTES);
  const derived = pbkdf2Sync(password, salt, ITERATIONS, 2 * KEY_BYTES + BLOCK_BYTES, "sha256");
  const [key, hmacKey, iv] = [
    derived.subarray(0, KEY_BYTES),
    derived.subarray(KEY_BYTES, 2 * KEY_BYTES),
    derived.subarray(2 * KEY_BYTES),
  ];
  const encrypted = createCipheriv("aes-256-ctr", key, iv).update(padded(text));
  const hmac = createHmac("sha256", hmacKey).update(encrypted).digest();
  const parts = [salt, hmac, encrypted].map((bytes) => bytes.toString("hex")).join("\n");
  const header = id ? `$ANSIBLE_VAULT;1.2;AES256;${id}` : "$ANSIBLE_VAULT;1.1;AES256";
  return [header, ...Buffer.from(parts).toString("hex").match(/.{1,80}/g)!, ""].join("\n");
}

/** Fills the last block as PKCS #7 says, although this cipher needs no whole blocks. */
function padded(text: string): Buffer {
  const bytes = Buffer.from(text);
  const missing = BLOCK_BYTES - bytes.length % BLOCK_BYTES;
  return Buffer.concat([bytes, Buffer.alloc(missing, missing)]);
}
