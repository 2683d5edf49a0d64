import * as z from "zod";

/** A JSON Schema, or a part of the document that contains one. */
export type Json = Record<string, unknown>;

/** Member of a schema that holds its own name until the schema is a component. */
export const NAME = "x-name";

/**
 * Members of a schema's `meta()` for the document: the name of a component, where its operation or
 * member would give it a worse one, and the example of a body. Clients are generated with the
 * names, so they stay.
 */
const OWN_META = ["name", "example"];

/**
 * Returns the JSON Schema of an input or output, in words that generators of clients know. The
 * results of transforms are not described.
 */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { name } = z.globalRegistry.get(zodSchema) ?? {};
      if (name) (jsonSchema as Json)[NAME] = name;
      for (const own of OWN_META) delete jsonSchema[own];
      // Later versions answer more members, which clients must tolerate.
      if (io === "output" && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  }) as Json;
  const rules = io === "input" ? [...INPUT_RULES, ...RULES] : [...RULES, ...OUTPUT_RULES];
  return plain(rest, rules) as Json;
}

/** Simplifies a schema and all of its parts. */
function plain(value: unknown, rules: Rule[]): unknown {
  if (Array.isArray(value)) return value.map((part) => plain(part, rules));
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.fromEntries(
    Object.entries(value).map((
      [name, part],
    ) => [name, KEEPS.has(name) ? part : plain(part, rules)]),
  );
  return rules.reduce((schema, rule) => rule(schema), parts as Json);
}

/** Members that hold values, and no schemas. */
const KEEPS = new Set(["enum", "const", "default", "examples", "required"]);

const isNull = (schema: unknown) => (schema as Json).type === "null";

type Rule = (schema: Json) => Json;

const RULES: Rule[] = [
  /** All integers may exceed 32 bits. Zod adds the bounds of those that JavaScript can hold. */
  (schema) => {
    if (schema.type !== "integer") return schema;
    const { minimum, maximum, exclusiveMinimum, ...rest } = schema;
    const from = typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : minimum;
    return {
      ...rest,
      format: "int64",
      ...(from !== undefined && from !== Number.MIN_SAFE_INTEGER && { minimum: from }),
      ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    };
  },
  /** The format says it. */
  (schema) => {
    if (typeof schema.format !== "string" || !("pattern" in schema)) return schema;
    const { pattern: _, ...rest } = schema;
    return rest;
  },
  /** All names of JSON are text. */
  ({ propertyNames, ...schema }) =>
    propertyNames && (propertyNames as Json).type !== "string"
      ? { propertyNames, ...schema }
      : schema,
  ({ const: only, ...schema }) => only === undefined ? schema : { ...schema, enum: [only] },
  /** A tuple becomes a list of as many items. */
  ({ prefixItems, items, ...schema }) => {
    if (!Array.isArray(prefixItems)) return items === undefined ? schema : { ...schema, items };
    const kinds = new Map(prefixItems.map((item) => [JSON.stringify(item), item]));
    const [first] = kinds.values();
    const { length } = prefixItems;
    return {
      ...schema,
      items: kinds.size > 1 ? { anyOf: [...kinds.values()] } : first ?? {},
      minItems: length,
      maxItems: length,
    };
  },
  /** Generators know no list of several types, except with null. */
  (schema) => {
    const { type, ...rest } = schema;
    if (!Array.isArray(type) || type.length === 1 || type.includes("null")) return schema;
    return { ...rest, anyOf: type.map((one) => ({ type: one })) };
  },
  /** Members that are always null: generators know no such type. */
  (schema) => {
    if (!isObject(schema)) return schema;
    const properties = Object.entries(schema.properties as Record<string, Json>).map(
      ([name, part]) => [name, isNull(part) ? { ...part, ...ALWAYS_NULL } : part],
    );
    return { ...schema, properties: Object.fromEntries(properties) };
  },
  /** "A or B, or else C" is "A, B or C". Generators know no choice between a map and others. */
  ({ anyOf, ...schema }) => {
    if (!Array.isArray(anyOf)) return schema;
    const all = (anyOf as Json[]).flatMap((one) => inner(one) ?? [one]);
    const variants = all.filter((one) => !all.some((other) => covers(other, one)));
    const isMap = (one: Json) => one.type === "object" && !isObject(one);
    return variants.length > 2 && variants.some(isMap) ? schema : { ...schema, anyOf: variants };
  },
  /** "Text or null" is one type. */
  (schema) => {
    const { anyOf, ...rest } = schema;
    if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return schema;
    const [inner] = anyOf as Json[];
    if (typeof inner.type !== "string" || isObject(inner) || inner[NAME]) return schema;
    return {
      ...inner,
      ...rest,
      type: [inner.type, "null"],
      ...(Array.isArray(inner.enum) && { enum: [...inner.enum, null] }),
    };
  },
];

/** Whether a schema has only texts that count as not sent. */
const isUnset = (schema: Json) =>
  Array.isArray(schema.enum) && schema.enum.every((text) => text === "" || text === "0");

/** An empty text counts as not sent, as clients expect. The document leaves it out. */
const INPUT_RULES: Rule[] = [
  ({ anyOf, ...schema }) => {
    if (!Array.isArray(anyOf)) return schema;
    const variants = (anyOf as Json[]).filter((one) => !isUnset(one));
    return variants.length === 1 ? { ...variants[0], ...schema } : { ...schema, anyOf: variants };
  },
];

/** Clients of openapi-generator cannot read null in a list or map of several kinds of values. */
const OUTPUT_RULES: Rule[] = ["items", "additionalProperties"].map((name) => (schema) => {
  const { anyOf } = (schema[name] ?? {}) as Json;
  const isMixed = Array.isArray(anyOf) && anyOf.length > 2 && anyOf.some(isNull);
  return isMixed ? { ...schema, [name]: {} } : schema;
});

/** Whether a variant without limits takes all that another one of its type takes. */
const covers = (general: Json, special: Json): boolean =>
  general !== special && general.type === special.type &&
  Object.keys(general).every((name) => name === "type" || name === "items") &&
  Object.keys(special).some((name) => name !== "type" && name !== "items");

/** Returns the variants of a schema that has nothing else. */
const inner = ({ anyOf, ...rest }: Json): Json[] | null =>
  Array.isArray(anyOf) && Object.keys(rest).length === 0 ? anyOf : null;

/** A member that only other servers use. */
export const ALWAYS_NULL = { type: ["string", "null"], description: "Always null" };

/** Whether a schema describes an object by its members, so that it is a component. */
export const isObject = ({ properties }: Json): boolean => properties !== undefined;
