import type { z } from "zod";
import { defOf } from "./schema_def.ts";

/**
 * What the API takes beside exact JSON, for every body: clients send numbers as text where they come
 * from a field of a form, an empty text for a number that was left out, and null for whatever they
 * do not know. Everything else is as the schema says.
 */
export function asSent(schema: z.ZodType, value: unknown, mayMiss = false): unknown {
  const def = defOf(schema);
  switch (def.type) {
    case "optional":
      return value === null && !isNullable(schema)
        ? undefined
        : asSent(def.innerType!, value, true);
    case "nullable":
      return asSent(def.innerType!, value, true);
    case "default":
    case "prefault":
    case "readonly":
    case "nonoptional":
      return asSent(def.innerType!, value, mayMiss);
    case "pipe":
      return asSent(defOf(def.in!).type === "transform" ? def.out! : def.in!, value, mayMiss);
    case "object":
      return asObject(def.shape!, value);
    case "array":
      return Array.isArray(value) ? value.map((item) => asSent(def.element!, item)) : value;
    case "record":
      return asRecord(def.valueType!, value);
    case "number":
      return asNumber(value, mayMiss);
    default:
      return value;
  }
}

const isNullable = (schema: z.ZodType) => schema.safeParse(null).success;

const asObject = (shape: Record<string, z.ZodType>, value: unknown) =>
  mapMembers(
    value,
    (name, member) => Object.hasOwn(shape, name) ? asSent(shape[name], member) : member,
  );

const asRecord = (valueType: z.ZodType, value: unknown) =>
  mapMembers(value, (_, member) => asSent(valueType, member));

function mapMembers(value: unknown, map: (name: string, member: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, map(name, member)]),
  );
}

function asNumber(value: unknown, mayMiss: boolean): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return mayMiss ? null : value;
  return /^-?\d{1,15}$/.test(text) ? Number(text) : value;
}
