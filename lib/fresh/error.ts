/** The statuses that tell of an error. */
export type ErrorStatus =
  | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414)
  | (415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451)
  | (500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511);

/** Ends a request with an HTTP status; the message is what the default error answer says. */
export class HttpError extends Error {
  status: ErrorStatus;

  constructor(status: ErrorStatus, message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = this.constructor.name;
    this.status = status;
  }
}

/** What an answer says when the error has no message. */
const STATUS_TEXTS: Partial<Record<ErrorStatus, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** What is answered when no error route does; a bug is told only to the console. */
export function answerError(error: unknown): Response {
  const status = error instanceof HttpError ? error.status : 500;
  // deno-lint-ignore no-console
  if (status >= 500) console.error(error);
  if (!(error instanceof HttpError)) return new Response("Internal server error", { status });
  return new Response(error.message || STATUS_TEXTS[error.status], { status });
}
