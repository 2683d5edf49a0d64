import { HttpError } from "fresh";
import { AppError, type Sentence } from "../base/errors.ts";
import { tell } from "../i18n/tell.ts";
import type { Translate } from "../i18n/translate.ts";
import { describeError, type Log } from "../base/log.ts";

/** A failure as it is reported: a status, a sentence, and further members of the API's response. */
interface ToldError {
  status: number;
  sentence: string;
  fields: Record<string, string>;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

/**
 * Translates any failure to a sentence. Unexpected failures are logged under a number that the
 * sentence includes.
 */
export function tellError(error: unknown, t: Translate, log: Log): ToldError {
  const known = error instanceof AppError ? error : fromHttpError(error);
  if (!known) {
    const id = crypto.randomUUID().slice(0, 8);
    log("error", "request_failed", { id, ...describeError(error) });
    return {
      status: 500,
      sentence: t("errors.internal", { id }),
      fields: {},
      body: {},
      headers: {},
    };
  }
  const fields = translateFields(known.details.fields ?? {}, t);
  const message = Object.values(fields)[0] ?? "";
  return {
    status: known.status,
    sentence: t(known.key, { message, ...known.params }),
    fields,
    body: known.details.body ?? {},
    headers: known.details.headers ?? {},
  };
}

/** Translates the messages of fields. */
const translateFields = (fields: Record<string, Sentence>, t: Translate) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, message]) => [name, tell(message, t)]),
  );

const HTTP_ERRORS: Record<number, string | undefined> = {
  403: "errors.forbidden",
  404: "errors.not_found",
  405: "errors.method",
};

function fromHttpError(error: unknown): AppError | null {
  if (!(error instanceof HttpError)) return null;
  return new AppError(error.status, HTTP_ERRORS[error.status] ?? "errors.invalid");
}

/**
 * Whether a request is for the API, which responds in JSON, and not for a page such as the API's
 * documentation.
 */
export function isApi({ url, config }: { url: URL; config: { basePath: string } }): boolean {
  const path = url.pathname.slice(config.basePath.length);
  return `${path}/`.startsWith("/api/") && path !== "/api/docs";
}

/**
 * Responds with a failure as the API does: `{"error": "<sentence>"}`, with `fields` for invalid
 * ones.
 */
export function errorResponse(error: ToldError): Response {
  const fields = Object.keys(error.fields).length > 0 ? { fields: error.fields } : {};
  return Response.json({ error: error.sentence, ...fields, ...error.body }, {
    status: error.status,
    headers: { "Cache-Control": "private, no-store", ...error.headers },
  });
}
