import { fileURLToPath } from "node:url";
import { VARIABLE_NAME } from "../../base/fields.ts";
import type { Variables } from "./variables.ts";

export const LATE_VARIABLES = fileURLToPath(new URL("./late_variables.sh", import.meta.url));

/** Deno starts nothing that gets these, and the supervisor needs the server's own PATH. */
const FOR_THE_PLAY_ALONE = /^(?:PATH$|[Ll][Dd]_|[Dd][Yy][Ll][Dd]_)/;

const isLate = (name: string) => FOR_THE_PLAY_ALONE.test(name) && VARIABLE_NAME.test(name);

/**
 * Returns `variables`, with meaningless names for those that decide which programs and libraries
 * are used. A variable that no shell can pass on is left out.
 */
export const holdLate = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      if (isLate(name)) return [[`CALLBOARD_LATE_${name}`, value]];
      return FOR_THE_PLAY_ALONE.test(name) ? [] : [[name, value]];
    }),
  );

/** Returns the command that gives `command` the variables that `holdLate` has renamed. */
export function withLate(variables: Variables, command: string[]): string[] {
  const names = Object.keys(variables).filter(isLate);
  return names.length === 0 ? command : ["sh", LATE_VARIABLES, names.join(" "), ...command];
}
