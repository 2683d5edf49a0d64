/** The JSON of a list, in the order that it was last wanted in. */
const texts = new WeakMap<readonly unknown[], { order: string; text: string }>();

/**
 * The JSON of rows, kept with them: some lists are kept, and asked for all the time. `put` may bring
 * them into another order, which `order` names.
 */
export function jsonOf<Row>(
  rows: readonly Row[],
  order = "",
  put: (rows: readonly Row[]) => readonly Row[] = (rows) => rows,
): string {
  const known = texts.get(rows);
  if (known?.order === order) return known.text;
  const text = JSON.stringify(put(rows));
  texts.set(rows, { order, text });
  return text;
}

/** A page of a list: a plain array, and a header that tells whether there is more. */
export function pagedResponse(rows: readonly unknown[], hasNext: boolean): Response {
  const headers = { "Content-Type": "application/json", "X-Has-Next": String(hasNext) };
  return new Response(jsonOf(rows), { headers });
}
