/** Ends a request with an HTTP status; the message is what the default error answer says. */
export class HttpError extends Error {
  status: number;

  constructor(status: number, message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = this.constructor.name;
    this.status = status;
  }
}
