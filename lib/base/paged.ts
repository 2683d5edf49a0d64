const texts = new WeakMap<readonly unknown[], Map<string, string>>();

/**
 * The JSON of rows, kept with them: some lists are kept, and asked for all the time. `put` may bring
 * them into another order, which `order` names.
 */
export function jsonOf<Row>(
  rows: readonly Row[],
  order = "",
  put: (rows: readonly Row[]) => readonly Row[] = (rows) => rows,
): string {
  const known = texts.get(rows) ?? new Map<string, string>();
  const text = known.get(order) ?? JSON.stringify(put(rows));
  texts.set(rows, known.set(order, text));
  return text;
}

/** A page of a list: a plain array, and a header that tells whether there is more. */
export function pagedResponse(rows: readonly unknown[], hasNext: boolean): Response {
  const headers = { "Content-Type": "application/json", "X-Has-Next": String(hasNext) };
  return new Response(jsonOf(rows), { headers });
}
