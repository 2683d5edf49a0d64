import { Buffer } from "node:buffer";
import { join } from "node:path";
import { explain } from "../base/machine/data_folder.ts";
import { ConfigError, type Environment } from "../base/settings/settings.ts";
import { createSecretBox, type SecretBox } from "./secret_box.ts";

/** The keys of a server, 32 bytes each. */
export interface SecretKeys {
  /** Everything is sealed with this one. */
  current: Uint8Array;
  /** The key before it, while secrets that it has sealed are sealed again; null for none. */
  previous: Uint8Array | null;
  /** A key that other servers of the store seal with already; null for none. */
  next: Uint8Array | null;
}

const SETTING = "CALLBOARD_SECRET_KEY";
const FILE = "secret.key";

export const secretKeyFile = (dataDir: string): string => join(dataDir, FILE);
/** Returns the file of the previous key. The server removes it once nothing needs it. */
export const previousKeyFile = (dataDir: string): string => join(dataDir, `${FILE}.previous`);

/** Returns a new key as text, in base64. */
export const newSecretKey = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");

/**
 * Returns the keys of the settings, or else of files in the data folder. A missing `secret.key` is
 * created, readable by its owner only. Throws ConfigError for a key that is not usable.
 */
export async function loadSecretKeys(env: Environment, dataDir: string): Promise<SecretKeys> {
  if (!env.get(SETTING)) {
    try {
      const options = { mode: 0o600, createNew: true };
      await Deno.writeTextFile(secretKeyFile(dataDir), newSecretKey() + "\n", options);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
  return (await readSecretKeys(env, dataDir))!;
}

/** Returns the same keys, or null without any. Never creates a file. Throws ConfigError. */
export async function readSecretKeys(
  env: Environment,
  dataDir: string,
): Promise<SecretKeys | null> {
  const current = settingKey(env, SETTING) ?? await fileKey(secretKeyFile(dataDir));
  if (!current) return null;
  const previous = settingKey(env, `${SETTING}_PREVIOUS`) ??
    await fileKey(previousKeyFile(dataDir));
  const next = settingKey(env, `${SETTING}_NEXT`);
  const other = (key: Uint8Array | null) => key && isSameKey(key, current) ? null : key;
  return { current, previous: other(previous), next: other(next) };
}

/** Returns a box that seals with the current key, and opens what any of the keys has sealed. */
export const boxOf = ({ current, previous, next }: SecretKeys): Promise<SecretBox> =>
  createSecretBox(current, ...[previous, next].filter((key) => key !== null));

const isSameKey = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b);

function settingKey(env: Environment, name: string): Uint8Array | null {
  const text = env.get(name);
  return text ? decodeKey(text, name) : null;
}

async function fileKey(path: string): Promise<Uint8Array | null> {
  const text = await Deno.readTextFile(path).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) return null;
    throw new ConfigError(`${path} cannot be read: ${explain(cause)}`, { cause });
  });
  return text === null ? null : decodeKey(text, path);
}

/** Decodes a key of 32 bytes in base64. Throws a ConfigError that names `source`. */
export function decodeKey(text: string, source: string): Uint8Array {
  const key = new Uint8Array(Buffer.from(text.trim(), "base64"));
  if (key.length !== 32) {
    throw new ConfigError(`${source} must be 32 bytes in base64 (openssl rand -base64 32)`);
  }
  return key;
}
