import type { Operation } from "../../../access/operation.ts";
import type { Json } from "./parameters.ts";

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
