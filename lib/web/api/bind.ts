import type {
  AccountScope,
  AdminScope,
  CreatorScope,
  ProjectScope,
  Scope,
  UserScope,
} from "../../access/scope.ts";
import type * as z from "zod";
import type { UserActor } from "../../access/actor.ts";
import type { Access, Operation } from "../../access/operation.ts";
import type { KeyedCall } from "../../access/sent_forms.ts";
import type { Answer, Listing } from "./answer.ts";
import type { Expected } from "../../base/version.ts";
import type { Permission } from "../../access/permissions.ts";
import type { ResourceService } from "../../resources/common/service.ts";
import type { AppDeps, State } from "../state.ts";

/** The caller; `actor` is null when no one is signed in. */
export interface PublicScope {
  readonly deps: AppDeps;
  readonly actor: UserActor | null;
}

/** Scope that is authorized before an operation's function is called. */
type ScopeOf<Who extends Access> = Who extends "public" ? PublicScope
  : Who extends "user" ? UserScope<AppDeps>
  : Who extends "admin" ? AdminScope<AppDeps>
  : Who extends "admin_or_self" ? AccountScope
  : Who extends "create_project" ? CreatorScope
  : Who extends "member" ? ProjectScope
  : Who extends Permission ? ProjectScope<Who>
  : Scope;

type Names<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest>
  : never;

/** Arguments of an operation's function, authorized and checked against its schemas. */
export interface Call<Body, Query, Who extends Access = Access, Path = string> {
  scope: ScopeOf<Who>;
  /** Integers of the path: its parameters whose names end in "Id". */
  ids: Record<Extract<Names<Path>, `${string}Id`>, number>;
  /** Texts of the path: its other parameters. */
  params: Record<Exclude<Names<Path>, `${string}Id`>, string>;
  body: Body;
  /** For `makeOnceByKey`. */
  keyed: KeyedCall;
  query: Query;
  /** Versions from `If-Match`. The change is meant for one of them. */
  expected: Expected;
  req: Request;
  url: URL;
  /** Address that the request came from; not always an IP address behind a proxy. */
  address: string;
  state: State;
}

// deno-lint-ignore no-explicit-any -- whatever its schemas are
type AnyOperation = Operation<any, any, any, any, any>;

type CallOf<O> = O extends Operation<infer Body, infer Query, z.ZodType, infer Who, infer Path>
  ? Call<z.output<Body>, z.output<Query>, Who, Path>
  : never;
type AnswerOf<O> = O extends Operation<z.ZodType, z.ZodType, infer Value> ? z.input<Value>
  : never;

type Functions<Operations> = {
  [Name in keyof Operations]: Run<Operations[Name]> | Admitting<Operations[Name]>;
};
type Run<O> = (call: CallOf<O>) => Result<AnswerOf<O>> | Promise<Result<AnswerOf<O>>>;
/** A function for callers with a token of their own, or a right that depends on the object. */
interface Admitting<O> {
  /** Throws unless the caller may use it. The body is read only afterwards. */
  admit(call: Pick<CallOf<O>, Arrived>): unknown;
  run: Run<O>;
}
/** The parts of a call that are there before its body. */
type Arrived = "scope" | "ids" | "params" | "req" | "url";
type Result<Value> =
  | Value
  | Answer<Value>
  | (Value extends (infer View)[] ? Listing<View> : never)
  | Response
  | void;

/** An operation and the function that implements it. */
export interface Binding {
  operation: Operation;
  admit?(call: Pick<Call<unknown, unknown>, Arrived>): unknown;
  run(call: Call<unknown, unknown>): unknown;
}

/**
 * Maps each operation of a noun to the function that implements it. A missing one is a type error.
 */
export const bind = <Operations extends Record<string, AnyOperation>>(
  operations: Operations,
  functions: Functions<Operations>,
): Binding[] =>
  Object.entries(operations).map(([name, operation]) => {
    const its = functions[name];
    return { operation, ...typeof its === "function" ? { run: its } : its } as Binding;
  });

/** A call by a user who may see the project, or who may change its resources. */
interface Sees {
  scope: ProjectScope;
}
interface Manages {
  scope: ProjectScope<"manage_resources">;
  expected: Expected;
}
interface Identified<Param extends string> {
  ids: Record<Param, number>;
}

/**
 * Maps the operations of a resource to its service. `param` is the name of its id in their paths.
 */
export const resource = <View, Form, Change, Param extends string>(
  service: ResourceService<View, Form, Change>,
  param: Param,
) => ({
  list: ({ scope, url }: Sees & { url: URL }) => service.list(scope, url.searchParams),
  create: ({ scope, body }: Manages & { body: Form }) => service.create(scope, body),
  get: ({ scope, ids }: Sees & Identified<Param>) => service.get(scope, ids[param]),
  update: ({ scope, ids, body, expected }: Manages & Identified<Param> & { body: Change }) =>
    service.update(scope, ids[param], body, expected),
  delete: ({ scope, ids, expected }: Manages & Identified<Param>) =>
    service.delete(scope, ids[param], expected),
  references: ({ scope, ids }: Sees & Identified<Param>) => service.references(scope, ids[param]),
});
