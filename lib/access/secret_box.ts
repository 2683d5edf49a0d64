import { Buffer } from "node:buffer";
import { join } from "node:path";
import { explain } from "../base/data_folder.ts";
import { ConfigError } from "../base/settings.ts";
import { AppError } from "../base/errors.ts";
import { conceal, type Secret } from "../base/secret.ts";

/**
 * Encrypts values that must not be readable in the database, with AES-256-GCM and a new nonce each
 * time.
 */
export interface SecretBox {
  seal(plain: string): Promise<Uint8Array>;
  /** Throws an AppError if the bytes were sealed with another key or changed. */
  open(sealed: Uint8Array): Promise<Secret>;
}

const NONCE_BYTES = 12;

/** Creates a box for a key of 32 bytes. */
export async function createSecretBox(key: Uint8Array): Promise<SecretBox> {
  const secret = await crypto.subtle.importKey("raw", key as BufferSource, "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
  return {
    async seal(plain) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const data = new TextEncoder().encode(plain);
      const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, secret, data);
      return new Uint8Array(Buffer.concat([iv, new Uint8Array(sealed)]));
    },
    async open(sealed) {
      const iv = sealed.slice(0, NONCE_BYTES);
      const data = sealed.slice(NONCE_BYTES);
      try {
        const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, secret, data);
        return conceal(new TextDecoder().decode(plain));
      } catch {
        throw new AppError(422, "errors.secret_unreadable");
      }
    },
  };
}

/**
 * Returns the key of `CALLBOARD_SECRET_KEY` (32 bytes in base64, as `openssl rand -base64 32`
 * prints), or of the file `secret.key` in the data folder. A missing file is created, readable by
 * its owner only.
 */
export async function loadSecretKey(
  setting: string | undefined,
  dataDir: string,
): Promise<Uint8Array> {
  if (setting) return decodeKey(setting, SETTING);
  const path = keyFile(dataDir);
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
  try {
    await Deno.writeTextFile(path, fresh + "\n", { mode: 0o600, createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
  return decodeKey(await Deno.readTextFile(path), path);
}

/**
 * Returns the same key, or null if the file is missing. Never creates it. Throws ConfigError if it
 * cannot be read.
 */
export async function readSecretKey(
  setting: string | undefined,
  dataDir: string,
): Promise<Uint8Array | null> {
  if (setting) return decodeKey(setting, SETTING);
  const path = keyFile(dataDir);
  const text = await Deno.readTextFile(path).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) return null;
    throw new ConfigError(`${path} cannot be read: ${explain(cause)}`, { cause });
  });
  return text === null ? null : decodeKey(text, path);
}

const SETTING = "CALLBOARD_SECRET_KEY";
const keyFile = (dataDir: string): string => join(dataDir, "secret.key");

/** Decodes a key of 32 bytes in base64. Throws a ConfigError that names `source`. */
export function decodeKey(text: string, source: string): Uint8Array {
  const key = new Uint8Array(Buffer.from(text.trim(), "base64"));
  if (key.length !== 32) {
    throw new ConfigError(`${source} must be 32 bytes in base64 (openssl rand -base64 32)`);
  }
  return key;
}
