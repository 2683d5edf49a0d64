import { closest } from "fastest-levenshtein";
import { fileVariable, SECRET_SETTINGS } from "./secret_settings.ts";
import { SETTING_KINDS } from "./setting_kinds.ts";
import { ConfigError, type Environment } from "./settings.ts";

/** The names of all settings, without those of files of secrets. */
export const SETTINGS: readonly string[] = Object.keys(SETTING_KINDS);

/** Settings that a server's environment sets, with null in place of a secret. */
export type EnvironmentSettings = ReadonlyMap<string, string | null>;

/** Returns the settings that `env` sets. Readers of settings treat an empty one as not set. */
export function environmentSettings(env: Environment): EnvironmentSettings {
  const set = SETTINGS.flatMap((name): [string, string | null][] => {
    const value = env.get(name);
    if (!value) return [];
    return [[name, SECRET_SETTINGS.includes(name) ? null : withoutCredentials(value)]];
  });
  return new Map(set);
}

/** Removes the parts of an address that may contain a password or a token. */
export function withoutCredentials(value: string): string {
  const url = URL.parse(value);
  if (!url || !(url.username || url.password || url.search)) return value;
  url.username = url.password = url.search = "";
  return url.href;
}

/**
 * Variables with the prefix of settings that are not settings. Callboard sets one for
 * `operatorCommand` and others for a task's processes, which may run one of its scripts. Kubernetes
 * creates the rest for a service with the name "callboard".
 */
const NO_SETTINGS = [
  /^CALLBOARD_(COMMAND|PROCESS|RESULTS|PASSPHRASE_FILE|LATE_.*)$/,
  // Values that keys and secret variables refer to.
  /^CALLBOARD_VALUE_.*$/,
  /^CALLBOARD_(SERVICE_(HOST|PORT)|PORT_\d+_).*$/,
];

/** Returns each variable that looks like a setting but is not one, and the nearest setting. */
export function unknownSettings(names: readonly string[]): { name: string; nearest: string }[] {
  const known = [...SETTINGS, ...SECRET_SETTINGS.map(fileVariable)];
  return names.filter((name) =>
    name.startsWith("CALLBOARD_") && !known.includes(name) &&
    !NO_SETTINGS.some((pattern) => pattern.test(name))
  ).map((name) => ({ name, nearest: closest(name, known) }));
}

/** Throws ConfigError that names each variable that looks like a setting but is not one. */
export function requireKnownSettings(names: readonly string[]): void {
  const unknown = unknownSettings(names);
  if (unknown.length === 0) return;
  const sentences = unknown.map(({ name, nearest }) =>
    `${name} is not a setting. Did you mean ${nearest}?`
  );
  throw new ConfigError(`${sentences.join("\n")}\ndocs/settings.md lists all settings.`);
}
