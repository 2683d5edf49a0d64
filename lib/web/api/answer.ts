/** What an operation answers, where there is more to say than the value: a status, or headers. */
export class Answer<Value> {
  constructor(readonly value: Value, readonly init: ResponseInit) {}
}

/** A page of a list: a plain array, and a header that tells whether there is more. */
export const paged = <Row>(rows: Row[], hasNext: boolean): Answer<Row[]> =>
  new Answer(rows, { headers: { "X-Has-Next": String(hasNext) } });
