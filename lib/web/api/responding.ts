import type { Deps } from "../../access/deps.ts";
import { type Operation, successStatus } from "../../access/operation.ts";
import { textStream } from "../../http/text_stream.ts";
import { Answer, Listing, type NextPage } from "../../access/answer.ts";
import { itemResponse } from "./etags.ts";
import { type Listed, sortableFields } from "./list_parameters.ts";
import type { State } from "../state.ts";
import { tellingOf } from "./translate_answer.ts";

/** The request to respond to. */
interface Asked {
  req: Request;
  url: URL;
  state: Pick<State, "ui" | "deps">;
}

/** Returns a function that responds with one object in the caller's language. */
export function itemReader({ answer }: Operation) {
  const telling = answer ? tellingOf(answer) : null;
  return ({ req, state }: Asked, value: object): Response =>
    itemResponse(req, value, telling ? telling(value, state.ui.t) : value);
}

/**
 * Returns a function that turns an operation's results into responses. Lists are sorted as
 * requested, and all messages are in the caller's language.
 */
export function responder(operation: Operation) {
  const { answer, sort } = operation;
  const telling = answer ? tellingOf(answer) : null;
  const sortable = sortableFields(operation);
  const answerList = lister(operation);
  return (asked: Asked, result: unknown, listed: Listed = {}): Response | Promise<Response> => {
    const { url, state } = asked;
    if (result instanceof Listing) return answerList(asked, result, listed);
    const { value, init, next } = result instanceof Answer ? result : new Answer(result, {});
    const status = init.status ?? successStatus(operation);
    if (value === undefined || status === 204) return new Response(null, { status });
    const translate = (value: unknown) => telling ? telling(value, state.ui.t) : value;
    const headers = new Headers(init.headers);
    if (next) headers.set("Link", linkTo(next, url, state));
    if (!Array.isArray(value)) return Response.json(translate(value), { headers, status });
    headers.set("Content-Type", "application/json");
    const { skip, limit } = setPage(headers, value.length, listed, asked);
    const { order, put } = sorting(sortable, sort?.[0], listed);
    const form = `${telling ? state.ui.language : ""} ${order} ${skip} ${limit}`;
    const shown = (rows: readonly unknown[]) => put(rows).slice(skip, skip + limit);
    const json = jsonOf(value, form, (rows) => translate(shown(rows)) as unknown[]);
    return new Response(json, { status, headers });
  };
}

/** Objects that are read together. */
const READ_TOGETHER = 100;

/**
 * Returns a function that responds with a list of which only the page is read that is asked for. A
 * long page is sent as it is read, so that it never takes memory as a whole.
 */
function lister(operation: Operation) {
  const { answer, sort } = operation;
  const telling = answer ? tellingOf(answer) : null;
  const sortable = sortableFields(operation);
  return async (
    asked: Asked,
    { rows, read }: Listing<unknown>,
    listed: Listed,
  ): Promise<Response> => {
    const headers = new Headers({ "Content-Type": "application/json" });
    const { skip, limit } = setPage(headers, rows.length, listed, asked);
    const shown = sorting(sortable, sort?.[0], listed).put(rows).slice(skip, skip + limit);
    const ids = shown.map((row) => (row as { id: number }).id);
    const jsonOf = async (some: number[]): Promise<string> => {
      const views = await read(some);
      return JSON.stringify(telling ? telling(views, asked.state.ui.t) : views);
    };
    const body = ids.length <= READ_TOGETHER
      ? await jsonOf(ids)
      : textStream(() => inParts(ids, jsonOf));
    return new Response(body, { headers });
  };
}

/** Yields the JSON of a list from that of its parts. */
async function* inParts(
  ids: number[],
  jsonOf: (some: number[]) => Promise<string>,
): AsyncGenerator<string> {
  let before = "[";
  for (let from = 0; from < ids.length; from += READ_TOGETHER) {
    const json = await jsonOf(ids.slice(from, from + READ_TOGETHER));
    if (json === "[]") continue; // They were deleted meanwhile.
    yield before + json.slice(1, -1);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** Returns the page that is asked for, and sets the headers that say whether another follows. */
function setPage(
  headers: Headers,
  count: number,
  listed: Listed,
  { url, state }: Asked,
): { skip: number; limit: number } {
  const { skip = 0, limit = listed.count ?? count } = listed;
  if (skip > 0 || limit < count) {
    const hasNext = skip + limit < count;
    headers.set("X-Has-Next", String(hasNext));
    if (hasNext) headers.set("Link", linkTo({ skip: skip + limit }, url, state));
  }
  return { skip, limit };
}

/** Returns the header that says where the next page is (RFC 8288). */
export function linkTo(
  next: NextPage,
  { origin, pathname, searchParams }: URL,
  { deps }: { deps: Pick<Deps, "config"> },
): string {
  const query = new URLSearchParams(searchParams);
  for (const [name, value] of Object.entries(next)) query.set(name, String(value));
  return `<${deps.config.url?.origin ?? origin}${pathname}?${query}>; rel="next"`;
}

/** Returns how to order rows. Lists with an order of their own keep it unless another is asked. */
function sorting(sortable: readonly string[], usual: string | undefined, listed: Listed) {
  const field = listed.sort ?? usual;
  if (field === undefined || !sortable.includes(field)) {
    return { order: "", put: (rows: readonly unknown[]) => rows };
  }
  const sign = listed.order === "desc" ? -1 : 1;
  const order = `${field} ${sign}`;
  const put = (rows: readonly unknown[]) => {
    const known = orders.get(rows);
    if (known?.order === order) return known.rows;
    const named = rows.map((row) => ({
      row,
      text: String((row as Record<string, unknown>)[field] ?? "").toLowerCase(),
    }));
    named.sort((a, b) => sign * (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    const sorted = named.map(({ row }) => row);
    orders.set(rows, { order, rows: sorted });
    return sorted;
  };
  return { order, put };
}

/** Rows of a list in the order that was requested last, because some lists are cached. */
const orders = new WeakMap<readonly unknown[], { order: string; rows: readonly unknown[] }>();

/** JSON of a list in the form that was requested last. */
const texts = new WeakMap<readonly unknown[], { form: string; text: string }>();

/**
 * Returns the JSON of rows, cached with the rows, because some lists are cached and requested
 * often. `put` may change their order and language, which `form` identifies.
 */
function jsonOf<Row>(
  rows: readonly Row[],
  form: string,
  put: (rows: readonly Row[]) => readonly unknown[],
): string {
  const known = texts.get(rows);
  if (known?.form === form) return known.text;
  const text = JSON.stringify(put(rows));
  texts.set(rows, { form, text });
  return text;
}
