import { type Operation, successStatus } from "../../access/operation.ts";
import { Answer, type NextPage } from "./answer.ts";
import { itemResponse } from "./etags.ts";
import { type Listed, sortableFields } from "./list_parameters.ts";
import type { State } from "../state.ts";
import { tellingOf } from "./telling.ts";

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
  return ({ url, state }: Asked, result: unknown, listed: Listed = {}): Response => {
    const { value, init, next } = result instanceof Answer ? result : new Answer(result, {});
    const status = init.status ?? successStatus(operation);
    if (value === undefined || status === 204) return new Response(null, { status });
    const translate = (value: unknown) => telling ? telling(value, state.ui.t) : value;
    const headers = new Headers(init.headers);
    if (next) headers.set("Link", linkTo(next, url, state));
    if (!Array.isArray(value)) return Response.json(translate(value), { headers, status });
    headers.set("Content-Type", "application/json");
    const { skip = 0, limit = listed.count ?? value.length } = listed;
    if (skip > 0 || limit < value.length) {
      const hasNext = skip + limit < value.length;
      headers.set("X-Has-Next", String(hasNext));
      if (hasNext) headers.set("Link", linkTo({ skip: skip + limit }, url, state));
    }
    const { order, put } = sorting(sortable, sort?.[0], listed);
    const form = `${telling ? state.ui.language : ""} ${order} ${skip} ${limit}`;
    const shown = (rows: readonly unknown[]) => put(rows).slice(skip, skip + limit);
    const json = jsonOf(value, form, (rows) => translate(shown(rows)) as unknown[]);
    return new Response(json, { status, headers });
  };
}

/** Returns the header that says where the next page is (RFC 8288). */
export function linkTo(
  next: NextPage,
  { origin, pathname, searchParams }: URL,
  { deps }: Pick<State, "deps">,
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
  const put = (rows: readonly unknown[]) => {
    const named = rows.map((row) => ({
      row,
      text: String((row as Record<string, unknown>)[field] ?? "").toLowerCase(),
    }));
    named.sort((a, b) => sign * (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    return named.map(({ row }) => row);
  };
  return { order: `${field} ${sign}`, put };
}

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
