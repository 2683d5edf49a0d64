import { closest } from "fastest-levenshtein";
import { type ConfigFile, usedConfigFile } from "./config_file.ts";
import { fileVariable, KV_TOKEN, SECRET_SETTINGS } from "./secret_settings.ts";
import { SETTING_KINDS } from "./setting_kinds.ts";
import { ConfigError, type Environment } from "./settings.ts";

/** The names of all settings, without those of files of secrets. */
export const SETTINGS: readonly string[] = Object.keys(SETTING_KINDS);

/** Where the value of a setting comes from. */
export type SettingOrigin = "environment" | "file" | "secret_file" | "credential" | "default";

/** Settings that are set, with null in place of a secret. */
export type EnvironmentSettings = ReadonlyMap<
  string,
  { value: string | null; origin: Exclude<SettingOrigin, "default"> }
>;

/**
 * Returns the settings of `env`, which has secrets from files in place, and of the `variables` of
 * which it was made. Readers of settings treat an empty one as not set.
 */
export function environmentSettings(
  env: Environment,
  variables: Environment = Deno.env,
): EnvironmentSettings {
  const file = usedConfigFile(variables);
  const originOf = (name: string) => {
    if (variables.get(name)) return file?.lines.has(name) ? "file" : "environment";
    return variables.get(fileVariable(name)) ? "secret_file" : "credential";
  };
  const all = [...SETTINGS, KV_TOKEN];
  return new Map(
    all.filter((name) => env.get(name)).map((name) => {
      const value = SECRET_SETTINGS.includes(name) ? null : withoutCredentials(env.get(name)!);
      return [name, { value, origin: originOf(name) }];
    }),
  );
}

/** Removes the parts of an address that may contain a password or a token. */
export function withoutCredentials(value: string): string {
  const url = URL.parse(value);
  if (!url || !(url.username || url.password || url.search || url.hash)) return value;
  url.username =
    url.password =
    url.search =
    url.hash =
      "";
  return url.href;
}

/**
 * Variables with the prefix of settings that are not settings. Callboard sets one for
 * `operatorCommand` and others for a task's processes, which may run one of its scripts. Kubernetes
 * creates the rest for a service with the name "callboard".
 */
const NO_SETTINGS = [
  /^CALLBOARD_(COMMAND|FILE_NAMES|FILE_ODD|PROCESS|RESULTS|PASSPHRASE_FILE|LATE_.*)$/,
  // Values that keys and secret variables refer to.
  /^CALLBOARD_VALUE_.*$/,
  /^CALLBOARD_(SERVICE_(HOST|PORT)|PORT_\d+_).*$/,
];

/** Returns where a file sets a variable, as a sentence; empty if it does not. */
export function placeIn(file: ConfigFile | null, name: string): string {
  const line = file?.lines.get(name);
  return line === undefined ? "" : ` It is in line ${line} of ${file!.path}.`;
}

/** Returns each variable that looks like a setting but is not one, and the nearest setting. */
export function unknownSettings(names: readonly string[]): { name: string; nearest: string }[] {
  const known = [...SETTINGS, ...SECRET_SETTINGS.map(fileVariable)];
  return names.filter((name) =>
    name.startsWith("CALLBOARD_") && !known.includes(name) &&
    !NO_SETTINGS.some((pattern) => pattern.test(name))
  ).map((name) => ({ name, nearest: closest(name, known) }));
}

/**
 * Throws ConfigError that names each variable that looks like a setting but is not one, and its
 * line if it is from the settings file.
 */
export function requireKnownSettings(
  names: readonly string[],
  file: ConfigFile | null = null,
): void {
  const unknown = unknownSettings(names);
  if (unknown.length === 0) return;
  const sentences = unknown.map(({ name, nearest }) =>
    `${name} is not a setting. Did you mean ${nearest}?${placeIn(file, name)}`
  );
  throw new ConfigError(`${sentences.join("\n")}\ndocs/settings.md lists all settings.`);
}
