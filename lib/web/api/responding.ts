import { type Operation, successStatus } from "../../access/operation.ts";
import { Answer } from "./answer.ts";
import { itemResponse } from "./etags.ts";
import type { State } from "../state.ts";
import { tellingOf } from "./telling.ts";

/** The request to respond to. */
interface Asked {
  req: Request;
  url: URL;
  state: Pick<State, "ui">;
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
  return ({ url, state }: Asked, result: unknown): Response => {
    const { value, init } = result instanceof Answer ? result : new Answer(result, {});
    const status = init.status ?? successStatus(operation);
    if (value === undefined || status === 204) return new Response(null, { status });
    const translate = (value: unknown) => telling ? telling(value, state.ui.t) : value;
    if (!Array.isArray(value)) return Response.json(translate(value), { ...init, status });
    const headers = new Headers(init.headers);
    headers.set("Content-Type", "application/json");
    const { order, put } = sorting(sort, url);
    const form = telling ? `${state.ui.language} ${order}` : order;
    const json = jsonOf(value, form, (rows) => translate(put(rows)) as unknown[]);
    return new Response(json, { status, headers });
  };
}

/**
 * Reads the order of rows from `?sort=name&order=desc`. The order is ascending unless it is "desc".
 */
function sorting(sortable: readonly string[] | undefined, { searchParams }: URL) {
  const field = searchParams.get("sort") ?? sortable?.[0] ?? "";
  if (!sortable?.includes(field)) return { order: "", put: (rows: readonly unknown[]) => rows };
  const sign = searchParams.get("order") === "desc" ? -1 : 1;
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
