import * as z from "zod";
import { type Operation, SIGNED_ID } from "../../../access/operation.ts";
import { type Json, jsonSchema } from "./json_schema.ts";
import { listParameters } from "../list_parameters.ts";
import { snakeCase } from "./words.ts";

/** Descriptions of the parts of paths that are not IDs of stored rows. */
const PATH: Record<string, string> = {
  alias: "Secret part of the address",
  app: "Name of the program: `ansible`",
  host: "Name of the host",
  provider: "Name of the provider in the settings of the server",
  session: "ID of the session",
  token: "The first 8 characters of the token",
};

export function pathParameters({ path }: Operation): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: snakeCase(name),
    in: "path",
    required: true,
    description: PATH[name] ?? `ID of the ${snakeCase(name.slice(0, -2)).replaceAll("_", " ")}`,
    schema: name.endsWith("Id")
      ? { type: "integer", format: "int64", minimum: name === SIGNED_ID ? -9 : 1 }
      : { type: "string" },
  }));
}

export function queryParameters(operation: Operation): Json[] {
  const schemas = [z.object(listParameters(operation)), operation.query ?? z.object({})];
  return schemas.flatMap((schema) => {
    const { properties = {}, required = [] } = jsonSchema(schema, "input") as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...its }]) => ({
      name,
      in: "query",
      required: required.includes(name),
      ...description !== undefined && { description },
      schema: its,
    }));
  });
}

const ETAG = {
  ETag: {
    description: "Value for `If-None-Match` and `If-Match`. It changes with each update",
    schema: { type: "string" },
  },
};

const header = (name: string, description: string): Json => ({
  name,
  in: "header",
  description,
  schema: { type: "string" },
});

/** Describes the key that lets an operation happen once however often it is sent. */
export const keyParameters = ({ isKeyed }: Operation): Json[] =>
  isKeyed
    ? [header("Idempotency-Key", "A text of at most 255 characters that no other call has")]
    : [];

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
      parameters: [
        header("If-None-Match", "ETags, or `*`. The answer is 304 if one of them is current"),
      ],
      answered: { headers: ETAG },
      responses: { 304: { description: "Not modified", headers: ETAG } },
    };
  }
  if (method === "POST") return none;
  return {
    parameters: [
      header(
        "If-Match",
        "ETags, or `*`. The answer is 412 if none of them is current. " +
          "Without it, the last change wins",
      ),
    ],
    answered: {},
    responses: { 412: { $ref: "#/components/responses/Error412" } },
  };
}
