import type { Context as FreshContext } from "fresh";
import {
  type Followed,
  neededBy,
  type Operation,
  type PublicScope,
  SIGNED_ID,
} from "../../access/operation.ts";
import type { KeyedCall } from "../../access/sent_forms.ts";
import { BODY_BYTES_MAX, readExactText } from "../../http/body.ts";
import { AppError, invalidField, notFound } from "../../base/errors.ts";
import { parseExact } from "../../base/text/exact_json.ts";
import { parseJson, parseWith } from "../../base/parse.ts";
import { changedMeanwhile } from "../../base/version.ts";
import { asSent } from "./as_sent.ts";
import { expectedBy } from "./etags.ts";
import { type Listed, queryReader } from "./list_parameters.ts";
import { itemReader, responder } from "./responding.ts";
import { clientAddress } from "../client_address.ts";
import { openStream } from "../event_stream.ts";
import { type AppDeps, type State, userScope } from "../state.ts";
import { requireScope, tokenLimitsOf } from "../../access/token_scopes.ts";
import { requireAccount } from "../../access/credentials.ts";
import { requireTokenTemplate } from "./token_templates.ts";
import {
  openAccount,
  openProject,
  requireAdmin,
  requireCreator,
  type Scope,
  scopeOf,
  withPermission,
} from "../../access/scope.ts";

type Context = Pick<FreshContext<State>, "req" | "url" | "state" | "info">;

/** Ids of the path by their names. */
type Ids = Record<string, number>;

/** Handles one call, with the parameters of its path. */
export type Answering = (ctx: Context, params: Record<string, string>) => Promise<Response>;

/**
 * Returns the handler of an operation's calls. Work that does not depend on the call is done once
 * here. `ofItem` means that the path is that of a single object, which has an ETag.
 */
export function answering(operation: Operation<AppDeps>, ofItem: boolean): Answering {
  const readCall = reader(operation);
  const respond = responder(operation);
  const readItem = itemReader(operation);
  const isReading = ofItem && operation.method === "GET";
  return async (ctx, params) => {
    const call = await readCall(ctx, params);
    // Collections have no ETag, so If-Match can never match.
    if (!ofItem && call.expected && operation.method !== "GET") throw changedMeanwhile();
    const value = await operation.run(call);
    if (value instanceof Response) return value;
    if (typeof value === "function") {
      return openStream(ctx, value as Followed, { events: (event) => [event] });
    }
    return isReading ? readItem(ctx, value as object) : respond(ctx, value, call.listed);
  };
}

type AnyCall = Parameters<Operation<AppDeps>["run"]>[0];

function reader(operation: Operation<AppDeps>) {
  const { body, admit } = operation;
  const readQuery = queryReader(operation);
  const idNames = [...operation.path.matchAll(/\{(\w+Id)\}/g)].map(([, name]) => name);
  return async (
    { req, url, state, info }: Context,
    params: Record<string, string>,
  ): Promise<AnyCall & { listed: Listed }> => {
    // Callers without access are refused before any of their input is read.
    if (operation.access !== "public") userScope(state);
    const ids = readIds(idNames, params);
    const texts = decoded(params);
    const scope = openAsAsked(operation, state, ids) as AnyCall["scope"];
    if (isOfTemplates(scope)) await requireTokenTemplate(operation, scope, ids, undefined);
    await admit?.({ scope, ids, params: texts, req, url });
    const { query, listed } = readQuery(url);
    const text = body ? await readExactText(req, operation.bodyBytesMax ?? BODY_BYTES_MAX) : "";
    const parsed = body && parseBody(operation, text, ids);
    if (body && isOfTemplates(scope)) {
      await requireTokenTemplate(operation, scope, ids, parsed ?? null);
    }
    return {
      body: parsed,
      keyed: operation.isKeyed ? keyedCall(operation, req.headers, ids, text) : NO_KEY,
      scope: body ? await openAgain(operation, scope, ids) as typeof scope : scope,
      ids,
      params: texts,
      query,
      listed,
      expected: expectedBy(req.headers),
      req,
      url,
      get address() {
        return clientAddress(state.deps.config, req.headers, info.remoteAddr);
      },
      get ui() {
        return state.ui;
      },
    };
  };
}

/** Whether a token sends the call that may run only some templates. */
const isOfTemplates = (scope: Scope | PublicScope): scope is Scope =>
  scope.actor !== null && Boolean(tokenLimitsOf(scope.actor)?.template_ids);

/** Reads the ids of the path: the parameters whose names end in "Id". They must be integers. */
function readIds(names: string[], params: Record<string, string>): Ids {
  const ids: Ids = {};
  for (const name of names) {
    const id = Number(params[name]);
    const form = name === SIGNED_ID ? /^(?:-[1-9]|\d{1,16})$/ : /^\d{1,16}$/;
    if (!form.test(params[name]) || !Number.isSafeInteger(id)) {
      throw new AppError(400, "errors.invalid_id", { id: decodeText(params[name]).slice(0, 40) });
    }
    ids[name] = id;
  }
  return ids;
}

const decoded = (params: Record<string, string>) =>
  Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decodeText(text)]));

/** The front door has already ensured that all escapes are valid. */
const decodeText = (text: string) => text.includes("%") ? decodeURIComponent(text) : text;

/** A call that every repetition carries out again. */
const NO_KEY: KeyedCall = { key: null, sent: () => "" };

function parseBody(operation: Operation, text: string, ids: Ids) {
  if (text.trim() === "" && "emptyBody" in operation) {
    return parseWith(operation.body!, operation.emptyBody);
  }
  const value = parseJson(text, parseExact);
  refuseOtherIds(value, ids, operation.method === "PUT");
  return parseWith(operation.body!, asSent(operation.body!, value));
}

/** Clients repeat ids in bodies. An id that differs from the path's is a mistake and is refused. */
function refuseOtherIds(body: unknown, ids: Ids, own: boolean) {
  if (typeof body !== "object" || body === null) return;
  const fields = Object.entries(ids).map(([name, id]) => [snakeCase(name), id] as const);
  if (own && fields.length > 0) fields.push(["id", fields.at(-1)![1]]);
  for (const [field, id] of fields) {
    const given = (body as Record<string, unknown>)[field];
    // Accepts text as well, as in the rest of a body. See `asSent`.
    const isSame = !given || given === "0" || given === id || given === String(id);
    if (!isSame) throw invalidField(field, "errors.id_differs");
  }
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase());

/** Returns the scope as of the arrival of the request. */
function openAsAsked(operation: Operation, state: State, ids: Ids): Scope | PublicScope {
  const { access } = operation;
  if (access === "public") return { deps: state.deps, actor: state.actor };
  const user = userScope(state);
  // Objects in a project that the caller may not see do not exist for any request.
  if ("projectId" in ids && !state.membership) throw notFound();
  requireScope(user.actor, ...neededBy(operation));
  // Tokens of projects have no account, and nothing outside of their project.
  if (!("projectId" in ids) && !operation.forProjectTokens) requireAccount(user.actor);
  switch (access) {
    case "user":
      return user;
    case "admin":
      return requireAdmin(user);
    case "admin_or_self":
      return openAccount(user, ids.userId);
    case "create_project":
      return requireCreator(user);
  }
  const scope = scopeOf(user, state.membership!);
  return access === "member" ? scope : withPermission(scope, access);
}

/** Returns the scope as it is now, because receiving a body may take a while. */
async function openAgain(
  { access }: Operation,
  scope: Scope | PublicScope,
  { projectId }: Ids,
) {
  switch (access) {
    case "public":
    case "user":
    case "admin":
    case "admin_or_self":
    case "create_project":
      return scope;
    case "member":
      return await openProject(scope as Scope, projectId);
  }
  return await openProject(scope as Scope, projectId, access);
}

const HEADER = "Idempotency-Key";

/** A key of one to 255 visible characters, which may be in quotation marks. */
const KEY = /^(?:"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** Returns a call with the key that its client has sent for it. Throws 400 for an invalid key. */
function keyedCall(
  { id }: Operation,
  headers: Headers,
  ids: Readonly<Record<string, number>>,
  body: string,
): KeyedCall {
  const text = headers.get(HEADER);
  const [, quoted, bare] = KEY.exec(text ?? "") ?? [];
  const key = quoted ?? bare ?? null;
  if (text !== null && key === null) throw new AppError(400, "errors.call_key");
  return { key, sent: () => JSON.stringify([id, ids, body]) };
}
