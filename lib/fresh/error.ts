/** Ends a request with an HTTP status. */
export class HttpError extends Error {
  constructor(readonly status: number, message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = this.constructor.name;
  }
}

/**
 * Returns the response when no error page handles the error. The details of a bug go to the console
 * only.
 */
export function answerError(error: unknown): Response {
  const status = error instanceof HttpError ? error.status : 500;
  // deno-lint-ignore no-console
  if (status >= 500) console.error(error);
  const text = error instanceof HttpError ? error.message : "Internal server error";
  return new Response(text, { status });
}
