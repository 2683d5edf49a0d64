import * as z from "zod";
import { hasMembers, isExactNumber, withPlainNumbers } from "../../base/text/exact_json.ts";
import { defOf } from "../schema_def.ts";

/**
 * Converts input that the API accepts in addition to exact JSON, in every body. Clients send
 * numbers from form fields as text, an empty text for a number that was left out, and null for any
 * member that they do not know. Everything else must match the schema. Numbers keep their digits
 * only where the schema takes any value.
 */
export function asSent(schema: z.core.$ZodType, value: unknown): unknown {
  const { def, mayMiss } = defOf(schema);
  if (value === null) return mayMiss && !z.safeParse(schema, null).success ? undefined : null;
  switch (def.type) {
    case "object":
      return mapMembers(
        value,
        (member, name) =>
          Object.hasOwn(def.shape, name)
            ? asSent(def.shape[name], member)
            : withPlainNumbers(member),
      );
    case "array":
      return Array.isArray(value)
        ? value.map((item) => asSent(def.element, item))
        : withPlainNumbers(value);
    case "record":
      return mapMembers(value, (member) => asSent(def.valueType, member));
    case "number":
      return asNumber(value, mayMiss);
    case "any":
    case "unknown":
      return value;
    case "union":
      return hasMembers(value) && def.options.some(takesAny) ? value : withPlainNumbers(value);
    default:
      return withPlainNumbers(value);
  }
}

/** Whether a schema is that of an object with any values. */
function takesAny(schema: z.core.$ZodType): boolean {
  const { def } = defOf(schema);
  return def.type === "record" && ["any", "unknown"].includes(defOf(def.valueType).def.type);
}

function mapMembers(value: unknown, map: (member: unknown, name: string) => unknown): unknown {
  if (!hasMembers(value) || Array.isArray(value)) return withPlainNumbers(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, map(member, name)]),
  );
}

function asNumber(value: unknown, mayMiss: boolean): unknown {
  if (isExactNumber(value)) return Number(value.rawJSON);
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return mayMiss ? null : value;
  return /^-?\d{1,15}$/.test(text) ? Number(text) : value;
}
