import { HttpError } from "fresh";
import { isDiskFull } from "../base/machine/disk_space.ts";
import { AppError, type Sentence } from "../base/errors.ts";
import { tell } from "../i18n/tell.ts";
import type { Translate } from "../i18n/translate.ts";
import { describeError, type Log } from "../base/log.ts";

/** The request that failed. */
interface Asked {
  ui: { t: Translate };
  deps: { log: Log };
  requestId: string;
}

/** A failure as it is reported: a status, a sentence, and further members of the API's response. */
interface TranslatedError {
  status: number;
  /** Name of the failure for programs. It stays, while the sentence may be worded better. */
  code: string;
  requestId: string;
  sentence: string;
  fields: Record<string, string>;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

/**
 * Translates any failure to a sentence. Unexpected failures are logged under a number that the
 * sentence includes.
 */
export function tellError(
  error: unknown,
  { ui: { t }, deps: { log }, requestId }: Asked,
): TranslatedError {
  const known = error instanceof AppError ? error : fromHttpError(error) ?? fromSystem(error);
  if (!known) {
    const id = crypto.randomUUID().slice(0, 8);
    log("error", "request_failed", { id, request_id: requestId, ...describeError(error) });
    return {
      status: 500,
      code: "internal",
      requestId,
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
    code: known.key.replace(/^errors\./, ""),
    requestId,
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

/** A request that needs a file is refused on a full disk like one that needs the store. */
const fromSystem = (error: unknown): AppError | null =>
  isDiskFull(error) ? new AppError(503, "errors.store_full") : null;

/**
 * Whether a request is for the API, which responds in JSON, and not for a page such as the API's
 * documentation.
 */
export function isApi({ url, config }: { url: URL; config: { basePath: string } }): boolean {
  const path = url.pathname.slice(config.basePath.length);
  return `${path}/`.startsWith("/api/") && path !== "/api/docs";
}

/**
 * Responds with a failure as the API does: `{"error": "<sentence>"}` with its code and the id of
 * the request, and with `fields` for invalid ones.
 */
export function errorResponse(error: TranslatedError, { headers }: Request): Response {
  const { status, sentence, code, requestId } = error;
  const fields = Object.keys(error.fields).length > 0 ? { fields: error.fields } : {};
  const body = { error: sentence, code, request_id: requestId, ...fields, ...error.body };
  return Response.json(body, {
    status,
    headers: {
      "Cache-Control": "private, no-store",
      ...(status === 401 && { "WWW-Authenticate": challenge(headers) }),
      ...error.headers,
    },
  });
}

/** Asks for a token (RFC 6750). Browsers show no dialog for this scheme. */
const challenge = (headers: Headers): string =>
  'Bearer realm="Callboard"' +
  (/^bearer /i.test(headers.get("authorization") ?? "") ? ', error="invalid_token"' : "");
