import { z } from "zod";
import type { Operation } from "../../../access/operation.ts";

/** A JSON Schema, or a part of the document that contains one. */
export type Json = Record<string, unknown>;

export function pathParameters({ path }: Operation): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: snakeCase(name),
    in: "path",
    required: true,
    schema: name.endsWith("Id")
      ? { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
      : { type: "string" },
  }));
}

export function queryParameters({ query, sort }: Operation): Json[] {
  const sorting = sort
    ? [
      {
        name: "sort",
        in: "query",
        description: `One of ${sort.join(", ")}; anything else sorts by nothing`,
        schema: { type: "string" },
      },
      {
        name: "order",
        in: "query",
        description: "`desc`; anything else is ascending",
        schema: { type: "string" },
      },
    ]
    : [];
  if (!query) return sorting;
  const { properties = {}, required = [] } = jsonSchema(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return [
    ...sorting,
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      in: "query",
      required: required.includes(name),
      schema,
    })),
  ];
}

/** Returns the JSON Schema of the input or output. The results of transforms are not described. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return rest;
}

export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase());

const ETAG = {
  ETag: {
    description: "What `If-None-Match` and `If-Match` take; another one after each change",
    schema: { type: "string" },
  },
};

const header = (name: string, description: string): Json => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
});

/**
 * Describes the conditional headers of an operation on a single object, and the responses to them.
 */
export function conditions(
  { method, path }: Operation,
  items: Set<string>,
): { parameters: Json[]; answered: Json; responses: Json } {
  const none = { parameters: [], answered: {}, responses: {} };
  if (!items.has(path)) return none;
  if (method === "GET") {
    return {
      parameters: [header("If-None-Match", "ETags, or `*`: what is known needs no answer")],
      answered: { headers: ETAG },
      responses: { 304: { description: "It has one of these ETags still", headers: ETAG } },
    };
  }
  if (method === "POST") return none;
  return {
    parameters: [
      header("If-Match", "ETags, or `*`: without it the last change wins, whatever was there"),
    ],
    answered: {},
    responses: { 412: { $ref: "#/components/responses/Error412" } },
  };
}
