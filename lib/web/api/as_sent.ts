import * as z from "zod";
import { defOf } from "../schema_def.ts";

/**
 * Converts input that the API accepts in addition to exact JSON, in every body. Clients send
 * numbers from form fields as text, an empty text for a number that was left out, and null for any
 * member that they do not know. Everything else must match the schema.
 */
export function asSent(schema: z.core.$ZodType, value: unknown): unknown {
  const { def, mayMiss } = defOf(schema);
  if (value === null) return mayMiss && !z.safeParse(schema, null).success ? undefined : null;
  switch (def.type) {
    case "object":
      return mapMembers(
        value,
        (member, name) => Object.hasOwn(def.shape, name) ? asSent(def.shape[name], member) : member,
      );
    case "array":
      return Array.isArray(value) ? value.map((item) => asSent(def.element, item)) : value;
    case "record":
      return mapMembers(value, (member) => asSent(def.valueType, member));
    case "number":
      return asNumber(value, mayMiss);
    default:
      return value;
  }
}

function mapMembers(value: unknown, map: (member: unknown, name: string) => unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, map(member, name)]),
  );
}

function asNumber(value: unknown, mayMiss: boolean): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return mayMiss ? null : value;
  return /^-?\d{1,15}$/.test(text) ? Number(text) : value;
}
