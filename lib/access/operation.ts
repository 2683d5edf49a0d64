import type * as z from "zod";
import type { ServerEvent } from "../http/server_event.ts";
import type { Expected } from "../base/version.ts";
import type { Ui } from "../i18n/ui.ts";
import type { Actor, UserActor } from "./actor.ts";
import type { Answer, Listing } from "./answer.ts";
import type { Deps } from "./deps.ts";
import { TOKEN_SCOPES, type TokenScope } from "../model/token_limits.ts";
import { scopesOf } from "./token_scopes.ts";
import type { Permission } from "./permissions.ts";
import type {
  AccountScope,
  AdminScope,
  CreatorScope,
  ProjectScope,
  Scope,
  UserScope,
} from "./scope.ts";
import type { KeyedCall } from "./sent_forms.ts";

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

/** The caller; `actor` is null when no one is signed in. */
export interface PublicScope<D = Deps> {
  readonly deps: D;
  readonly actor: UserActor | null;
}

/** Scope that is authorized before an operation's function is called. */
type ScopeOf<Who extends Access, D> =
  | PermittedScope<Extract<Who, Permission>, D>
  | OtherScope<Exclude<Who, Permission>, D>;
type PermittedScope<P extends Permission, D> = [P] extends [never] ? never : ProjectScope<P, D>;
type OtherScope<Who extends Access, D> = Who extends "public" ? PublicScope<D>
  : Who extends "user" ? UserScope<D>
  : Who extends "admin" ? AdminScope<D>
  : Who extends "admin_or_self" ? AccountScope<D>
  : Who extends "create_project" ? CreatorScope<D>
  : Who extends "member" ? ProjectScope<never, D>
  : Scope<Actor, D>;

type Names<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest>
  : never;

/** The parts of a call that are there before its body. */
interface Arrived<Who extends Access, Path, D> {
  scope: ScopeOf<Who, D>;
  /** Integers of the path: its parameters whose names end in "Id". */
  ids: Record<Extract<Names<Path>, `${string}Id`>, number>;
  /** Texts of the path: its other parameters. */
  params: Record<Exclude<Names<Path>, `${string}Id`>, string>;
  req: Request;
  url: URL;
}

/** Arguments of an operation's function, authorized and checked against its schemas. */
interface Call<Body, Query, Who extends Access, Path, D> extends Arrived<Who, Path, D> {
  body: Body;
  /** For `makeOnceByKey`. */
  keyed: KeyedCall;
  query: Query;
  /** Versions from `If-Match`. The change is meant for one of them. */
  expected: Expected;
  /** Address that the request came from; not always an IP address behind a proxy. */
  address: string;
  ui: Ui;
}

/** Events that the caller follows until they disconnect or are signed out. */
export type Followed = (gone: AbortSignal) => AsyncGenerator<ServerEvent>;

type Result<Value> =
  | Value
  | Answer<Value>
  | (Value extends (infer View)[] ? Listing<View> : never)
  | Followed
  | Response
  | void;

/** Declaration of one API call, with its input, its output and the required access. */
interface Declaration<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
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
  /** Its example in the document is `example` of its `meta()`. */
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
  answer?: Output;
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
  /** Scopes of which a token needs one, if they differ from those of the access: see `neededBy`. */
  scopes?: readonly TokenScope[];
  /** Whether a token of a project may call it, although its path names no project. */
  forProjectTokens?: boolean;
  /** Error statuses beyond those that every operation can answer. */
  errors?: readonly number[];
}

/** One API call, and the function that carries it out with the dependencies `D`. */
export interface Operation<D = never> extends Declaration {
  admit?: (call: Arrived<"public", string, D>) => unknown;
  run: (call: Call<unknown, unknown, "public", string, D>) => unknown;
}

/** Returns `operation` for functions that need more than the dependencies of all services. */
export const operationWith = <D extends Deps>() =>
<
  Who extends Access,
  Path extends `/${string}`,
  Body extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Output extends z.ZodType = z.ZodNever,
>(
  definition: Declaration<Body, Query, Output, Who, Path> & {
    /**
     * For callers with a token of their own, or a right that depends on the object: throws unless
     * the caller may use it. The body is read only afterwards.
     */
    admit?(call: Arrived<Who, Path, D>): unknown;
    run(
      call: Call<z.output<Body>, z.output<Query>, Who, Path, D>,
    ): Result<z.input<Output>> | Promise<Result<z.input<Output>>>;
  },
): Operation<D> => definition as unknown as Operation<D>;

/**
 * Declares an API call. Its function is given the scope of its access, the parts of its path, and
 * its body and query as their schemas return them, and returns what the schema of its answer takes.
 */
export const operation = operationWith<Deps>();

/** Returns a schema whose example differs from that of `schema` in some members. */
export const withExample = <Schema extends z.ZodType>(schema: Schema, members: object): Schema =>
  schema.meta({ example: { ...schema.meta()?.example as object, ...members } });

/** Sentence of the document about keyed calls. */
export const KEYED =
  "With an `Idempotency-Key`, a call that is sent again within 24 hours starts " +
  "nothing, and answers the first one.";

/** Paths of single objects that a token which runs tasks may follow. */
const FOLLOWED = /\{(task|template|workflow)Id\}/;

/**
 * Returns the scopes of which a token needs one. They follow from the access and the method, so
 * that no operation is without any.
 */
export function neededBy(
  { access, method, path, scopes }: Pick<Operation, "access" | "method" | "path" | "scopes">,
): readonly TokenScope[] {
  if (scopes) return scopes;
  const isReading = method === "GET";
  switch (access) {
    case "public":
      return TOKEN_SCOPES;
    case "admin":
    case "admin_or_self":
      return ["admin"];
    case "create_project":
      return ["manage"];
    case "user":
      return [isReading ? "read" : "admin"];
    case "member":
      if (!isReading) return ["manage"];
      return FOLLOWED.test(path) ? ["read", "run"] : ["read"];
  }
  return scopesOf(access);
}

export function successStatus({ method, status }: Operation): number {
  return status ?? { GET: 200, POST: 201, PUT: 204, DELETE: 204 }[method];
}
