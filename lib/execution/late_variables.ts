import { fileURLToPath } from "node:url";
import { VARIABLE_NAME } from "../resources/schema.ts";

const SCRIPT = fileURLToPath(new URL("./late_variables.sh", import.meta.url));

/**
 * Variables that decide which programs are run, or with which libraries. They are for the play
 * alone: Deno starts nothing with `LD_…`, and the supervisor needs the server's own PATH.
 */
const isLate = (name: string) =>
  VARIABLE_NAME.test(name) && (name === "PATH" || /^(?:ld|dyld)_/i.test(name));

/** `variables`, those that must wait by names that mean nothing to anybody. */
export const holdLate = (variables: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      isLate(name) ? `CALLBOARD_LATE_${name}` : name,
      value,
    ]),
  );

/** The command that gives `command` what `holdLate` holds back of `variables`. */
export function withLate(variables: Record<string, string>, command: string[]): string[] {
  const names = Object.keys(variables).filter(isLate);
  return names.length === 0 ? command : ["sh", SCRIPT, names.join(" "), ...command];
}
