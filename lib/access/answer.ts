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
 * A list whose objects are read once it is known which of them are asked for. `rows` have the
 * members by which the list can be sorted.
 */
export class Listing<View> {
  constructor(
    readonly rows: readonly { id: number }[],
    readonly read: (ids: number[]) => Promise<View[]>,
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
  return pagedUntil(rows, hasNext && last !== undefined ? after(last) : null);
}

/** Returns the same of a list that continues with `next`; null at its end. */
export const pagedUntil = <Row>(rows: Row[], next: NextPage | null): Answer<Row[]> =>
  new Answer(rows, { headers: { "X-Has-Next": String(next !== null) } }, next);
