import { resolve } from "node:path";
import { hasNul } from "../text/control.ts";
import { type OddLine, parseEnvironmentFile } from "./environment_file.ts";
import { fileVariable, SECRET_SETTINGS } from "./secret_settings.ts";
import { ConfigError, type Environment } from "./settings.ts";
import { readFile } from "./settings_file.ts";

const CONFIG = "CALLBOARD_CONFIG";
/** The file in Callboard's own folder, if the variable names none. */
const DEFAULT_PATH = "callboard.env";
/** Names of variables that came from the file, with their lines, for further processes. */
const NAMES = "CALLBOARD_FILE_NAMES";
/** Lines of the file that may not be what was meant, for further processes. */
const ODD = "CALLBOARD_FILE_ODD";
/** No variable of a process can be longer. scripts/settings.sh has the same limit. */
const BYTES_MAX = 128 * 1024;
const OF_OTHERS = 0o007;

/** A settings file, as far as this process uses it. */
export interface ConfigFile {
  path: string;
  /** Line of each variable that is set by it. */
  lines: ReadonlyMap<string, number>;
  odd: OddLine[];
}

/**
 * Sets the settings of the settings file as variables of this process, except for those that are
 * variables already. Returns null without a file. Throws ConfigError if it cannot be read.
 */
export async function loadConfigFile(): Promise<ConfigFile | null> {
  const known = usedConfigFile(Deno.env);
  if (known) return known;
  const named = Deno.env.get(CONFIG);
  const path = resolve(named ?? DEFAULT_PATH);
  const found = named === "" ? null : await lookAt(path);
  if (named === "" || (named === undefined && found === null)) return null;
  // A pipe would be waited for.
  if (found?.isFile === false) throw new ConfigError(`${CONFIG}: ${path} is not a file`);
  if (found && found.size > BYTES_MAX) throw new ConfigError(`${path} is larger than 128 KiB`);
  const { set, odd } = parseEnvironmentFile(await readFile(CONFIG, path));
  const lines = new Map<string, number>();
  for (const { name, value, line } of set) {
    const why = name === CONFIG
      ? `${name} can only be a variable, so the line is ignored`
      : !isSettingName(name)
      ? `${name} is not a setting, so it is ignored here. Set it as a variable`
      : hasNul(value)
      ? `${name} has a character that no variable can have, so the line is ignored`
      : null;
    if (why) odd.push({ line, why });
    else if (Deno.env.get(name) === undefined) {
      Deno.env.set(name, value);
      lines.set(name, line);
    }
  }
  Deno.env.set(CONFIG, path);
  Deno.env.set(NAMES, [...lines].map((entry) => entry.join(":")).join(" "));
  Deno.env.set(ODD, odd.map(({ line, why }) => `${line}: ${why}`).join("\n"));
  return { path, lines, odd };
}

/** Returns the settings file whose settings are variables of `env` already; null for none. */
export function usedConfigFile(env: Environment): ConfigFile | null {
  const names = env.get(NAMES);
  if (names === undefined) return null;
  const split = (entry: string): [string, string] => {
    const at = entry.indexOf(":");
    return [entry.slice(0, at), entry.slice(at + 1).replace(/^ /, "")];
  };
  const lines = names.split(" ").filter(Boolean).map(split)
    .map(([name, line]): [string, number] => [name, Number(line)]);
  const odd = (env.get(ODD) ?? "").split("\n").filter(Boolean).map(split)
    .map(([line, why]) => ({ line: Number(line), why }));
  return { path: env.get(CONFIG) ?? "", lines: new Map(lines), odd };
}

/** Whether a file has secrets and can be read by every account of the machine. */
export async function isOpenToOthers({ path, lines }: ConfigFile): Promise<boolean> {
  if (!SECRET_SETTINGS.some((name) => lines.has(name))) return false;
  const mode = await Deno.stat(path).then(({ mode }) => mode, () => null);
  return ((mode ?? 0) & OF_OTHERS) !== 0;
}

const isSettingName = (name: string): boolean =>
  name.startsWith("CALLBOARD_") || SECRET_SETTINGS.includes(name) ||
  SECRET_SETTINGS.map(fileVariable).includes(name);

/** Returns null for a file that does not exist. Its reader says why one cannot be looked at. */
async function lookAt(path: string): Promise<Pick<Deno.FileInfo, "isFile" | "size"> | null> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? null : { isFile: true, size: 0 };
  }
}
