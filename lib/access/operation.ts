import type { z } from "zod";
import type { Permission } from "./permissions.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Who may call an operation: also what the OpenAPI document and the table of access tests say. */
export type Access =
  | "public"
  | "user"
  | "admin"
  | "admin_or_self"
  | "create_project"
  | "member"
  | Permission;

/** One call of the API: what goes in, what comes out, who may. It does nothing by itself. */
export interface Operation<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Who extends Access = Access,
  Path extends `/${string}` = `/${string}`,
> {
  id: string;
  method: Method;
  /** Below /api, with the parameters of the path in braces: "/project/{projectId}/keys/{keyId}". */
  path: Path;
  tag: string;
  summary: string;
  access: Who;
  body?: Body;
  /** What stands in for a body that was not sent. Without it a missing body is an error. */
  emptyBody?: unknown;
  /** Whether a GET starts something, so that a HEAD is not answered by it. */
  isUnsafe?: boolean;
  /** Bytes of a body that are read, where that is not as many as usual. */
  bodyBytesMax?: number;
  query?: Query;
  answer?: Answer;
  /** Of answers that are not JSON. */
  contentType?: string;
  /** 200 for GET, 201 for POST, 204 for PUT and DELETE, unless clients compare another one. */
  status?: number;
  /** Fields that `?sort=` may name, for answers that are lists. */
  sort?: readonly string[];
  /** Statuses of failures beyond those that every operation may answer. */
  errors?: readonly number[];
}

/** Names an operation with the types of its schemas, of who may call it, and of its path. */
export const operation = <
  Who extends Access,
  Path extends `/${string}`,
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Answer extends z.ZodType = z.ZodNever,
>(definition: Operation<Body, Query, Answer, Who, Path>) => definition;

/** The status of an operation's success. */
export function successStatus({ method, status }: Operation): number {
  return status ?? { GET: 200, POST: 201, PUT: 204, DELETE: 204 }[method];
}
