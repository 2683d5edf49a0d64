import { isObject, type Json, NAME } from "./json_schema.ts";
import { pascalCase, singular } from "./words.ts";

/** A schema of the document, and names that it may get: the best first, the last one unique. */
export interface Candidate {
  schema: Json;
  names: string[];
}

/**
 * Names the objects in `roots`, the schemas of bodies and answers: by their own name, else by that
 * of their operation, else by those of the object and the member that have them. Equal objects are
 * one component. Returns the components, and a function that refers to them.
 */
export function componentsOf(roots: Candidate[]) {
  const names = new Map<string, string>();
  const schemas = new Map<string, Json>();
  for (let level = roots.flatMap(componentsIn); level.length > 0;) {
    const fresh = level.filter(({ schema }) => !names.has(textOf(schema)));
    nameAll(fresh, names);
    const unlike = new Map(fresh.map(({ schema }) => [textOf(schema), schema]));
    level = [];
    for (const [text, schema] of unlike) {
      schemas.set(text, schema);
      level.push(...membersOf(schema, names.get(text)!));
    }
  }
  const referTo = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(referTo);
    if (typeof schema !== "object" || schema === null) return schema;
    const name = isComponent(schema as Json) && names.get(textOf(schema));
    return name ? { $ref: `#/components/schemas/${name}` } : withParts(schema, referTo);
  };
  const components = [...schemas].map(([text, { [NAME]: _, ...schema }]) =>
    [names.get(text)!, withParts(schema, referTo)] as const
  );
  return {
    schemas: Object.fromEntries(components.toSorted(([a], [b]) => a < b ? -1 : 1)),
    referTo: referTo as (schema: Json) => Json,
  };
}

const isComponent = (schema: Json) => isObject(schema) || NAME in schema;
const textOf = (schema: unknown) => JSON.stringify(schema);
const withParts = (schema: object, map: (part: unknown) => unknown) =>
  Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, map(part)]));

/** Gives each schema the first of its names that is free. Better names are given first. */
function nameAll(candidates: Candidate[], names: Map<string, string>): void {
  const taken = new Set(names.values());
  const wishes = candidates.flatMap((candidate) => {
    const own = candidate.schema[NAME] as string | undefined;
    const names = [...(own ? [own, `${own}Body`] : []), ...candidate.names];
    // A test keeps the document free of numbers: such a schema needs a name of its own.
    return [...names, ...names.map((name) => `${name}${candidates.indexOf(candidate) + 2}`)]
      .map((name, rank) => ({ text: textOf(candidate.schema), name, rank }));
  });
  wishes.sort((a, b) =>
    a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1)
  );
  for (const { text, name } of wishes) {
    if (names.has(text) || taken.has(name)) continue;
    names.set(text, name);
    taken.add(name);
  }
}

/** Returns the nearest components in a schema: itself, or those in its parts. */
function componentsIn({ schema, names }: Candidate): Candidate[] {
  return isComponent(schema) ? [{ schema, names }] : partsOf(schema, names);
}

function membersOf({ properties, ...schema }: Json, name: string): Candidate[] {
  const members = Object.entries(properties as Record<string, Json> ?? {}).flatMap(
    ([member, part]) => componentsIn({ schema: part, names: [`${name}${pascalCase(member)}`] }),
  );
  return [...members, ...partsOf(schema, [`${name}Value`])];
}

/** Returns the components in parts that have no name of their own: items, values and variants. */
function partsOf(schema: Json, names: string[]): Candidate[] {
  const { items, additionalProperties, anyOf = [], oneOf = [] } = schema as Record<string, Json>;
  const variants = [...anyOf as unknown as Json[], ...oneOf as unknown as Json[]];
  const parts = [
    ...(items ? [{ schema: items, names: names.map(singular) }] : []),
    ...(isSchema(additionalProperties) ? [{ schema: additionalProperties, names }] : []),
    ...variants.map((variant) => ({
      schema: variant,
      names: variantNames(variant, variants, names),
    })),
  ];
  return parts.flatMap(componentsIn);
}

const isSchema = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Variants are named after the value that tells them apart, or else after their first member. */
function variantNames(variant: Json, all: Json[], names: string[]): string[] {
  if (all.filter(isComponent).length === 1) return names;
  const members = Object.entries(variant.properties ?? {});
  const values = members.flatMap(([, { enum: only }]) => only?.length === 1 ? only : []);
  const suffix = pascalCase(String(values[0] ?? members[0]?.[0] ?? ""));
  return names.map((name) => singular(name) + suffix);
}
