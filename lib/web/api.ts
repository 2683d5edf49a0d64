import type { z } from "zod";
import type { HandlerByMethod } from "fresh";
import type { UserActor } from "../access/actor.ts";
import { type AppDeps, signedIn, type State } from "./state.ts";
import { BODY_BYTES_MAX, readText } from "../base/body.ts";
import { AppError, invalidField } from "../base/errors.ts";
import { parseJson, parseWith } from "../base/parse.ts";
import { admit } from "./admit.ts";
import { asSent } from "./as_sent.ts";
import { clientAddress } from "./client_address.ts";
import { type ApiHandler, onlyMethods } from "./methods.ts";
import { type Operation, successStatus } from "../access/operation.ts";

/** What an operation's function is given: parsed and checked against its schemas. */
export interface Call<Body, Query> {
  deps: AppDeps;
  /** Who calls. In public operations a stand-in that may nothing: see `callerOf`. */
  actor: UserActor;
  /** The integers of the path. */
  ids: Record<string, number>;
  /** The texts of the path. */
  params: Record<string, string>;
  body: Body;
  query: Query;
  req: Request;
  url: URL;
  /** The address the request came from. */
  address: string;
  state: State;
}

type Binding = [Operation, (call: Call<never, never>) => unknown];

/** Says which function carries out `operation`. It answers a value, or a Response of its own. */
export function answer<B extends z.ZodType, Q extends z.ZodType, A extends z.ZodType>(
  operation: Operation<B, Q, A>,
  run: (
    call: Call<z.output<B>, z.output<Q>>,
  ) => Promise<z.input<A> | Response | void> | z.input<A> | Response | void,
): Binding {
  return [operation as unknown as Operation, run as Binding[1]];
}

/** The handler of one API route: one binding a method. */
export const api = (...bindings: Binding[]): ApiHandler => onlyMethods(byMethod(...bindings));

/** What answers each method that is bound, for routes that answer others in their own way. */
export function byMethod(...bindings: Binding[]): HandlerByMethod<never, State> {
  return Object.fromEntries(
    bindings.map(([operation, run]) => [
      operation.method,
      async (ctx: ApiContext) => {
        const value = await run(await readCall(operation, ctx) as unknown as Call<never, never>);
        return value instanceof Response ? value : respond(operation, ctx.url, value);
      },
    ]),
  ) as HandlerByMethod<never, State>;
}

interface ApiContext {
  req: Request;
  url: URL;
  params: Record<string, string>;
  state: State;
  info: Deno.ServeHandlerInfo;
}

async function readCall(operation: Operation, ctx: ApiContext) {
  const actor = operation.access === "public" ? ctx.state.actor : signedIn(ctx.state);
  const ids = readIds(ctx.params);
  const query = operation.query && parseWith(
    operation.query,
    Object.fromEntries(ctx.url.searchParams),
  );
  if (operation.body && actor) await admit(operation, ctx.state.deps, actor, ids);
  const body = operation.body && await readBody(operation, ctx.req, ids);
  const { req, url, params, state } = ctx;
  const address = clientAddress(state.deps.config, req.headers, ctx.info.remoteAddr);
  return { deps: state.deps, actor, ids, params, query, body, req, url, address, state };
}

/** The path's parameters that are ids. Names that end in "Id" must be positive integers. */
function readIds(params: Record<string, string>): Record<string, number> {
  const ids: Record<string, number> = {};
  for (const [name, text] of Object.entries(params)) {
    if (!name.endsWith("Id")) continue;
    const id = Number(text);
    if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(id)) {
      throw new AppError(400, "errors.invalid_id", { id: text.slice(0, 40) });
    }
    ids[name] = id;
  }
  return ids;
}

async function readBody(operation: Operation, req: Request, ids: Record<string, number>) {
  const text = await readText(req, operation.bodyBytesMax ?? BODY_BYTES_MAX);
  if (text.trim() === "" && "emptyBody" in operation) {
    return parseWith(operation.body!, operation.emptyBody);
  }
  const value = parseJson(text);
  refuseOtherIds(value, ids, operation.method === "PUT");
  return parseWith(operation.body!, asSent(operation.body!, value));
}

/** Clients repeat ids in bodies; one that differs from the path's is a mistake worth telling. */
function refuseOtherIds(body: unknown, ids: Record<string, number>, own: boolean) {
  if (typeof body !== "object" || body === null) return;
  const fields = Object.entries(ids).map(([name, id]) => [snakeCase(name), id] as const);
  if (own && fields.length > 0) fields.push(["id", fields.at(-1)![1]]);
  for (const [field, id] of fields) {
    const given = (body as Record<string, unknown>)[field];
    // Text too, as in the rest of a body: see `asSent`.
    const isSame = !given || given === "0" || given === id || given === String(id);
    if (!isSame) throw invalidField(field, "errors.id_differs");
  }
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase());

function respond(operation: Operation, url: URL, value: unknown): Response {
  const status = successStatus(operation);
  if (value === undefined || status === 204) return new Response(null, { status });
  const rows = operation.sort && Array.isArray(value) ? sorted(value, operation.sort, url) : value;
  return Response.json(rows, { status });
}

/** `?sort=name&order=desc`, as the API's clients send it; ascending unless "desc". */
function sorted<Row>(rows: Row[], sortable: readonly string[], url: URL): Row[] {
  const field = (url.searchParams.get("sort") ?? sortable[0]) as keyof Row;
  if (!sortable.includes(field as string)) return rows;
  const sign = url.searchParams.get("order") === "desc" ? -1 : 1;
  const text = (row: Row) => String(row[field] ?? "").toLowerCase();
  return rows.toSorted((a, b) => sign * (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}
