import * as z from "zod";
import type { Operation } from "../../access/operation.ts";
import { invalidField } from "../../base/errors.ts";
import { listFilter, listSize, listSkip } from "../../base/lists/list_query.ts";
import { parseWith } from "../../base/parse.ts";
import { defOf } from "../schema_def.ts";

type Shape = Record<string, z.core.$ZodType>;

/** Order and page of a list that is answered from memory. */
export interface Listed {
  sort?: string;
  order?: "asc" | "desc";
  limit?: number;
  count?: number;
  skip?: number;
}

/** The language of the answer, and a text that gets past caches. */
const OF_ALL_CALLS = ["lang", "t"];

/** Returns the members of a schema for objects, whatever it becomes afterwards. */
function shapeOf(schema: z.core.$ZodType): Shape {
  const { def } = defOf(schema);
  return def.type === "object" ? def.shape : {};
}

/** Returns the fields that a list can be sorted by. Most objects have a name. */
export function sortableFields({ method, query, sort, answer }: Operation): readonly string[] {
  if (sort) return sort;
  if (method !== "GET" || !(answer instanceof z.ZodArray)) return [];
  const isPaged = query && "limit" in shapeOf(query);
  return !isPaged && "name" in shapeOf(answer.element) ? ["name"] : [];
}

/**
 * Returns the parameters that all lists take, if they do not page themselves: `sort` and `order`,
 * `limit` and `skip`.
 */
export function listParameters(operation: Operation): z.ZodRawShape {
  const { method, query, answer, contentType } = operation;
  const sortable = sortableFields(operation);
  const sorting = sortable.length > 0 && {
    sort: listFilter(z.enum(sortable), "errors.invalid").describe("Field to sort by"),
    order: listFilter(z.enum(["asc", "desc"]), "errors.invalid").describe("Direction of the order"),
  };
  const isList = method === "GET" && answer instanceof z.ZodArray && !contentType;
  const isPaged = query && "limit" in shapeOf(query);
  return { ...sorting, ...isList && !isPaged && { ...listSize, skip: listSkip } };
}

/**
 * Returns a function that reads the query of a call. It throws 400 for parameters that the call
 * does not take, and for values that mean nothing.
 */
export function queryReader(operation: Operation) {
  const { query, queryNames = {}, takesAnyQuery } = operation;
  const ofLists = z.object(listParameters(operation));
  const known = new Set([
    ...OF_ALL_CALLS,
    ...Object.keys(ofLists.shape),
    ...query ? Object.keys(shapeOf(query)) : [],
  ]);
  return ({ searchParams }: URL): { query: unknown; listed: Listed } => {
    const sent = Object.fromEntries(
      searchParams.entries().map(([name, text]) => [queryNames[name] ?? name, text]),
    );
    const unknown = takesAnyQuery ? undefined : Object.keys(sent).find((name) => !known.has(name));
    if (unknown !== undefined) {
      throw invalidField(unknown.slice(0, 40), "errors.unknown_parameter", {
        name: unknown.slice(0, 40),
      });
    }
    return { query: query && parseWith(query, sent), listed: parseWith(ofLists, sent) };
  };
}
