/** The result of an operation that sets a status or headers in addition to the value. */
export class Answer<Value> {
  constructor(readonly value: Value, readonly init: ResponseInit) {}
}

/** Returns a page of a list: a plain array, and a header that says whether there are more rows. */
export const paged = <Row>(rows: Row[], hasNext: boolean): Answer<Row[]> =>
  new Answer(rows, { headers: { "X-Has-Next": String(hasNext) } });
