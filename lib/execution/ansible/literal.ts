import { hasMembers } from "../../base/text/exact_json.ts";
import { isSecret } from "../../base/secret.ts";

/**
 * Returns variables whose texts Ansible takes literally, so that `{{ … }}` in them is not a
 * template. This is for all values that people and webhooks may send: a lookup in an answer would
 * run a command on this machine. The form is Ansible's own for JSON, supported since 2.8.
 */
export const literalVars = (vars: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, literal(value)]));

function literal(value: unknown): unknown {
  if (typeof value === "string" || isSecret(value)) return { __ansible_unsafe: value };
  if (Array.isArray(value)) return value.map(literal);
  if (!hasMembers(value)) return value;
  return literalVars(value as Record<string, unknown>);
}
