import type { AppError } from "../base/errors.ts";
import { hasControl } from "../base/control.ts";
import { isOwnVariable } from "../execution/ansible/own_variable.ts";
import { parseJsonObject, VARIABLE_NAME } from "../base/fields.ts";

type Refuse = (key: string, params?: Record<string, string>) => AppError;

/** `name=value`, with quotes around values with blanks. */
const PAIR = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/**
 * Returns the variables in `--extra-vars`: a JSON object, or words of `name=value`, but never a
 * file.
 */
export function readVariables(text: string, refuse: Refuse): Record<string, unknown> {
  if (text.trimStart().startsWith("@")) throw refuse("errors.arguments.extra_vars_file");
  const variables = text.trimStart().startsWith("{") ? parseJsonObject(text) : readPairs(text);
  // Ansible's own JSON notation for other values, such as encrypted texts.
  if (variables === null || /"__ansible_\w+":/.test(JSON.stringify(variables))) {
    throw refuse("errors.arguments.extra_vars");
  }
  for (const name of Object.keys(variables)) {
    if (!VARIABLE_NAME.test(name)) throw refuse("errors.arguments.extra_vars");
    if (isOwnVariable(name)) {
      throw refuse("errors.own_variable", { name });
    }
  }
  return variables;
}

function readPairs(text: string): Record<string, string> | null {
  if (hasControl(text) || text.replace(PAIR, "").trim() !== "") return null;
  const pairs = (text.match(PAIR) ?? []).map((word) => /^([^="']+)=(.*)$/.exec(word));
  if (pairs.length === 0 || pairs.includes(null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair![1], unquote(pair![2]!)]));
}

const unquote = (text: string) => text.replace(/^(["'])(.*)\1$/, "$2");
