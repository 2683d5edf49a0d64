import { resolve } from "node:path";

/** A setting that is not usable. The message is shown at start and names the setting. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Source of environment variables. */
export type Environment = Pick<typeof Deno.env, "get">;

/**
 * Reads the path of a folder or a file. It must have no commas and colons, because Deno and Ansible
 * would take it for several.
 */
export function readPath(env: Environment, name: string, fallback: string): string {
  const path = resolve(env.get(name) || fallback);
  if (!/[,:\p{Cc}]/u.test(path)) return path;
  throw new ConfigError(`${name} must be a path without commas and colons, not "${path}"`);
}

export function readInteger(env: Environment, name: string, fallback: number, max: number): number {
  const text = env.get(name);
  if (!text) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new ConfigError(`${name} must be a whole number from 0 to ${max}, not "${text}"`);
  }
  return value;
}

/** Reads one of some words. */
export function readChoice<Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const text = env.get(name) || fallback;
  const choice = choices.find((known) => known === text);
  if (choice !== undefined) return choice;
  const words = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
  throw new ConfigError(`${name} must be ${words}, not "${text}"`);
}

export function readSwitch(env: Environment, name: string, fallback: boolean): boolean {
  const text = env.get(name)?.toLowerCase();
  if (!text) return fallback;
  if (["1", "true", "yes", "on"].includes(text)) return true;
  if (["0", "false", "no", "off"].includes(text)) return false;
  throw new ConfigError(`${name} must be true or false, not "${text}"`);
}

/** Reads an alias. It must be hard to guess, because everyone who knows it may call the URL. */
export function readAlias(env: Environment, name: string): string | null {
  const text = env.get(name);
  if (!text) return null;
  if (/^[A-Za-z0-9_-]{16,200}$/.test(text)) return text;
  throw new ConfigError(`${name} must be 16 to 200 letters, digits, "-" or "_"`);
}

export function readToken(env: Environment, name: string): string | null {
  const token = env.get(name)?.trim() || null;
  // The token is sent as one word of a header.
  if (token && !/^[\x21-\x7e]+$/.test(token)) {
    throw new ConfigError(`${name} must be one word of ASCII letters, digits and signs`);
  }
  return token;
}

export function readUrl(env: Environment, name: string): URL | null {
  const text = env.get(name);
  if (!text) return null;
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new ConfigError(`${name} must be an http or https address, not "${text}"`);
  }
  return url;
}
