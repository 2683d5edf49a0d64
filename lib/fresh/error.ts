/** Ends a request with an HTTP status. */
export class HttpError extends Error {
  constructor(readonly status: number, message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = this.constructor.name;
  }
}

/** What is answered when no error page does; a bug is told only to the console. */
export function answerError(error: unknown): Response {
  const status = error instanceof HttpError ? error.status : 500;
  // deno-lint-ignore no-console
  if (status >= 500) console.error(error);
  const text = error instanceof HttpError ? error.message : "Internal server error";
  return new Response(text, { status });
}
