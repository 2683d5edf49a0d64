/** Parameters of a query that continue a list after a page. */
export type NextPage = Record<string, string | number>;

/** The result of an operation that sets a status or headers in addition to the value. */
export class Answer<Value> {
  constructor(
    readonly value: Value,
    readonly init: ResponseInit,
    readonly next: NextPage | null = null,
  ) {}
}

/**
 * Returns a page of a list: a plain array, and headers that say whether there are more rows and
 * where. `after` continues after the last row.
 */
export function paged<Row>(
  rows: Row[],
  hasNext: boolean,
  after: (last: Row) => NextPage,
): Answer<Row[]> {
  const last = rows.at(-1);
  const headers = { "X-Has-Next": String(hasNext) };
  return new Answer(rows, { headers }, hasNext && last !== undefined ? after(last) : null);
}
