/** A page of a list: a plain array, and a header that tells whether there is more. */
export const pagedResponse = (rows: unknown[], hasNext: boolean): Response =>
  Response.json(rows, { headers: { "X-Has-Next": String(hasNext) } });
