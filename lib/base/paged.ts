/** The JSON of rows that were answered before: some lists are kept, and asked for all the time. */
const texts = new WeakMap<readonly unknown[], string>();

/** A page of a list: a plain array, and a header that tells whether there is more. */
export function pagedResponse(rows: readonly unknown[], hasNext: boolean): Response {
  const text = texts.get(rows) ?? JSON.stringify(rows);
  texts.set(rows, text);
  const headers = { "Content-Type": "application/json", "X-Has-Next": String(hasNext) };
  return new Response(text, { headers });
}
