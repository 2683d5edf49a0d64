import { ALWAYS_NULL, type Json } from "./json_schema.ts";

type Schemas = Record<string, Json>;

/** Schemas of the document by name, and examples of bodies by their operations. */
interface Known {
  schemas: Schemas;
  bodies: Record<string, unknown>;
}

/** Values of texts by the member that has them. Other texts are the name of the member. */
const TEXTS: Record<string, string> = {
  "date-time": "2026-03-01T12:00:00Z",
  "^([01]\\d|2[0-3]):[0-5]\\d$": "22:00",
  date: "2026-03-01",
  uuid: "0b2a0c9e-6a3b-4a5e-9a57-3f6f1a2b3c4d",
  time: "2026-03-01T12:00:00Z",
  url: "https://callboard.example.com",
  email: "nora@example.com",
  username: "nora",
  host: "web1.example.com",
  commit_hash: "3f2a91c",
  version: "1.4.2",
  output: "PLAY [web] *****",
};

/**
 * Returns an example of an answer: each member has a value of its type, and those that bodies have
 * too, the values of those.
 */
export function exampleOf(schema: Json, known: Known, name = ""): unknown {
  const { $ref, anyOf, oneOf, type, items, properties } = schema;
  if (typeof $ref === "string") return exampleOfComponent($ref.split("/").at(-1)!, known);
  if (schema.description === ALWAYS_NULL.description) return null;
  const [variant] = (anyOf ?? oneOf ?? []) as Json[];
  if (variant) return exampleOf(variant, known, name);
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== "") ?? "";
  switch (Array.isArray(type) ? type[0] : type) {
    case "array":
      return Array(Number(schema.minItems ?? 1)).fill(
        exampleOf(items as Json, known, name),
      );
    case "object":
      return properties ? exampleOfMembers(properties as Schemas, known, {}) : {};
    case "integer":
    case "number":
      return Math.max(1, Number(schema.minimum ?? 1));
    case "boolean":
      return false;
    case "string":
      return TEXTS[String(schema.pattern ?? schema.format)] ?? TEXTS[name] ?? name;
    default:
      return null;
  }
}

function exampleOfComponent(name: string, known: Known): unknown {
  const { properties, ...rest } = known.schemas[name];
  if (!properties) return exampleOf(rest, known, name);
  const body = known.bodies[`create${name}`] ?? known.bodies[`update${name}`] ?? {};
  return exampleOfMembers(properties as Schemas, known, body as Json);
}

function exampleOfMembers(properties: Schemas, known: Known, body: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isOf(body[name], schema) ? body[name] : exampleOf(schema, known, name),
    ]),
  );
}

/** Whether a value of a body can be that of an answer: texts and numbers of the same type. */
function isOf(value: unknown, { type, enum: values }: Json): boolean {
  if (Array.isArray(values)) return values.includes(value);
  const [kind] = [type].flat();
  return kind === "integer"
    ? Number.isInteger(value)
    : typeof value === "string" && kind === "string";
}
