import { join } from "node:path";
import { settingsOf } from "./setting_kinds.ts";
import { ConfigError, type Environment } from "./settings.ts";
import { readFile } from "./settings_file.ts";

/** Deno reads the token of a KV Connect service from this variable of the process. */
export const KV_TOKEN = "DENO_KV_ACCESS_TOKEN";

/** Settings whose values are secret, or may contain a secret as addresses of webhooks do. */
export const SECRET_SETTINGS: readonly string[] = [...settingsOf("secret"), KV_TOKEN];

/** Returns the variable that names the file of a secret setting. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/**
 * Returns an environment in which a secret setting can come from a file: the one that the variable
 * `NAME_FILE` names, or the credential `NAME` of systemd (`LoadCredential=`). A line break at its
 * end is dropped. Throws ConfigError for a file that is unreadable or empty, and for a setting with
 * two sources.
 */
export async function withSecretFiles(
  env: Environment,
  names: readonly string[] = SECRET_SETTINGS,
): Promise<Environment> {
  const secrets = new Map<string, string>();
  for (const name of names) {
    const sources = [
      ...(env.get(name) ? [{ source: name, text: env.get(name)! }] : []),
      ...await readNamedFile(env, fileVariable(name)),
      ...await readCredential(env, name),
    ];
    const [first, second] = sources;
    if (second) throw new ConfigError(`${first.source} and ${second.source} are both set`);
    if (first) secrets.set(name, first.text);
  }
  return { get: (name) => secrets.get(name) ?? env.get(name) };
}

/** Returns the variables of this process, with its secrets from files. Throws ConfigError. */
export async function readEnvironment(): Promise<Environment> {
  const env = await withSecretFiles(Deno.env);
  const token = env.get(KV_TOKEN);
  if (token) Deno.env.set(KV_TOKEN, token);
  return env;
}

async function readNamedFile(env: Environment, variable: string) {
  const path = env.get(variable);
  return path ? [await readSecret(variable, path)] : [];
}

async function readCredential(env: Environment, name: string) {
  const directory = env.get("CREDENTIALS_DIRECTORY");
  if (!directory) return [];
  const path = join(directory, name);
  const exists = await Deno.stat(path).then(() => true, () => false);
  return exists ? [await readSecret(`the credential ${name}`, path)] : [];
}

async function readSecret(source: string, path: string) {
  const text = (await readFile(source, path)).replace(/\r?\n$/, "");
  if (text === "") throw new ConfigError(`${source}: ${path} is empty`);
  return { source, text };
}
