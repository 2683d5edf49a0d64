import { Buffer } from "node:buffer";
import { AppError } from "../base/errors.ts";
import { conceal, type Secret } from "../base/secret.ts";

/**
 * Encrypts values that must not be readable in the database, with AES-256-GCM and a new nonce each
 * time.
 */
export interface SecretBox {
  seal(plain: string): Promise<Uint8Array>;
  /** Throws an AppError if the bytes were sealed with none of its keys, or changed. */
  open(sealed: Uint8Array): Promise<Secret>;
}

const NONCE_BYTES = 12;

/** Creates a box that seals with a key of 32 bytes, and also opens what `others` have sealed. */
export async function createSecretBox(
  key: Uint8Array,
  ...others: Uint8Array[]
): Promise<SecretBox> {
  const keys = await Promise.all([key, ...others].map(importKey));
  return {
    async seal(plain) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const data = new TextEncoder().encode(plain);
      const sealed = await crypto.subtle.encrypt({ name: ALGORITHM, iv }, keys[0], data);
      return new Uint8Array(Buffer.concat([iv, new Uint8Array(sealed)]));
    },
    async open(sealed) {
      const iv = sealed.slice(0, NONCE_BYTES);
      const data = sealed.slice(NONCE_BYTES);
      for (const key of keys) {
        const plain = await crypto.subtle.decrypt({ name: ALGORITHM, iv }, key, data)
          .catch(() => null);
        if (plain) return conceal(new TextDecoder().decode(plain));
      }
      throw new AppError(422, "errors.secret_unreadable");
    },
  };
}

const ALGORITHM = "AES-GCM";

const importKey = (key: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", key as BufferSource, ALGORITHM, false, ["encrypt", "decrypt"]);
