import { join } from "node:path";
import { VARIABLE_NAME } from "../../base/fields.ts";
import { reveal, type Secret } from "../../base/secret.ts";
import type { TaskAccount } from "./isolation.ts";

/** Variables of a process. */
export type Variables = Record<string, string | Secret>;

/**
 * Returns the base of every child's environment. It contains none of the server's own variables.
 */
export const baseEnvironment = (path: string, home: string): Record<string, string> => ({
  PATH: path,
  HOME: home,
  LANG: "C.UTF-8",
  LC_ALL: "C.UTF-8",
});

/** Returns the variables in plain text for a process. */
export const revealed = (variables: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, reveal(value, "run")]),
  );

/**
 * Returns `command` with its variables, which are set inside the isolation. `LD_PRELOAD` would
 * otherwise affect the commands that isolate it. They are in a file, since everyone can see
 * arguments.
 */
export async function commandWithVariables(
  command: string[],
  env: Record<string, string>,
  directory: string,
  account: TaskAccount | null,
): Promise<string[]> {
  const file = join(directory, `variables-${crypto.randomUUID()}`);
  const lines = Object.entries(env)
    .filter(([name]) => VARIABLE_NAME.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`);
  await Deno.writeTextFile(file, lines.join(""), { mode: 0o600, createNew: true });
  if (account) await Deno.chown(file, account.uid, account.gid);
  return ["sh", "-c", '. "$1"; shift; exec "$@"', "sh", file, ...command];
}
