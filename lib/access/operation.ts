import type * as z from "zod";
import type { Permission } from "./permissions.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The parameter whose id can be below 0: the settings of the server define some targets. */
export const SIGNED_ID = "targetId";

/**
 * Access that an operation requires. The OpenAPI document and the table of access tests use it,
 * too.
 */
export type Access =
  | "public"
  | "user"
  | "admin"
  | "admin_or_self"
  | "create_project"
  | "member"
  | Permission;

/** Declaration of one API call, with its input, its output and the required access. */
export interface Operation<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Who extends Access = Access,
  Path extends `/${string}` = `/${string}`,
> {
  id: string;
  method: Method;
  /** Path below /api, with its parameters in braces: "/project/{projectId}/keys/{keyId}". */
  path: Path;
  tag: string;
  /** Opens with a verb and has no full stop: see tests/house/summaries_test.ts. */
  summary: string;
  /** Whole sentences that the document shows below the summary. */
  details?: string;
  access: Who;
  body?: Body;
  /** Value that replaces a missing body. Without it, a missing body is an error. */
  emptyBody?: unknown;
  /** Whether a GET has side effects, so that a HEAD must not run it. */
  isUnsafe?: boolean;
  /** Whether a call that comes again with its `Idempotency-Key` makes nothing new. */
  isKeyed?: boolean;
  /** Limit of the body in bytes, if it differs from the default. */
  bodyBytesMax?: number;
  query?: Query;
  /** Names by which clients of Semaphore send some parameters. */
  queryNames?: Readonly<Record<string, string>>;
  answer?: Answer;
  /** Content type of answers that are not JSON. */
  contentType?: string;
  /**
   * Success status. The default is 200 for GET, 201 for POST, and 204 for PUT and DELETE. Set only
   * if clients expect another one.
   */
  status?: number;
  /** Whether callers may send other parameters, because their addresses are not made for us. */
  takesAnyQuery?: boolean;
  /** Fields that `?sort=` may name, for answers that are lists. */
  sort?: readonly string[];
  /** Error statuses beyond those that every operation can answer. */
  errors?: readonly number[];
}

/** Declares an operation and infers the types of its schemas, its access and its path. */
export const operation = <
  Who extends Access,
  Path extends `/${string}`,
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Answer extends z.ZodType = z.ZodNever,
>(definition: Operation<Body, Query, Answer, Who, Path>) => definition;

/** Sentence of the document about keyed calls. */
export const KEYED =
  "With an `Idempotency-Key`, a call that is sent again within 24 hours starts " +
  "nothing, and answers the first one.";

export function successStatus({ method, status }: Operation): number {
  return status ?? { GET: 200, POST: 201, PUT: 204, DELETE: 204 }[method];
}
