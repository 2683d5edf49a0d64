import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import { VARIABLE_NAME } from "../../base/fields.ts";
import { isSecret } from "../../base/secret.ts";
import type { Variables } from "./variables.ts";

export const LATE_VARIABLES = fileURLToPath(new URL("./late_variables.sh", import.meta.url));

/** Deno starts nothing that gets these, and the supervisor needs the server's own PATH. */
const FOR_THE_PLAY_ALONE = /^(?:PATH$|[Ll][Dd]_|[Dd][Yy][Ll][Dd]_)/;

const isLate = (name: string) => FOR_THE_PLAY_ALONE.test(name) && isWord(name);

/** Whether shells pass on a variable of this name. */
const isWord = (name: string) => VARIABLE_NAME.test(name);

/** Returns the name that stands for one that shells do not pass on. */
const codeOf = (name: string) => `x${Buffer.from(name).toString("hex")}`;

/**
 * Returns `variables`, with meaningless names for those that decide which programs and libraries
 * are used, and for those that no shell can pass on.
 */
export const holdLate = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      if (isLate(name)) return [[`CALLBOARD_LATE_${name}`, value]];
      if (isWord(name)) return [[name, value]];
      // Secrets have words as names. An argument would show them.
      return isSecret(value) ? [] : [[`CALLBOARD_LATE_${codeOf(name)}`, `${name}=${value}`]];
    }),
  );

/** Returns the command that gives `command` the variables that `holdLate` has renamed. */
export function withLate(variables: Variables, command: string[]): string[] {
  const names = Object.keys(variables).filter(isLate);
  const codes = Object.entries(variables)
    .flatMap(([name, value]) => isWord(name) || isSecret(value) ? [] : [codeOf(name)]);
  if (names.length + codes.length === 0) return command;
  return ["sh", LATE_VARIABLES, names.join(" "), codes.join(" "), ...command];
}
