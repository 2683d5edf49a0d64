/** A sentence of the locale files before translation: its key and its parameters. */
export interface Sentence {
  key: string;
  params?: SentenceParams;
}

/** Values for the placeholders of a sentence: text, raw numbers, or other sentences. */
export type SentenceParams = Record<string, string | number | Sentence | Sentence[]>;

interface ErrorDetails {
  /** Errors by field, for forms and for `"fields"` in API responses. */
  fields?: Record<string, Sentence>;
  /** Further members of the API's response, such as `inUse` and the references. */
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** A failure that is shown to a person: a status and a locale key with its data, not a sentence. */
export class AppError extends Error {
  override name = "AppError";
  constructor(
    readonly status: number,
    readonly key: string,
    readonly params: SentenceParams = {},
    readonly details: ErrorDetails = {},
  ) {
    super(key);
  }
}

/** Returns the message to store or show later. For an error of fields, it is the first field's. */
export function sentenceOf({ key, params, details }: AppError): Sentence {
  const [field] = Object.values(details.fields ?? {});
  return field ?? { key, params };
}

/** 404: the object does not exist, or the caller may not see it. The two cannot be told apart. */
export const notFound = () => new AppError(404, "errors.not_found");
/** 401: no one is signed in. */
export const unauthorized = () => new AppError(401, "errors.unauthorized");
/** 403: a member without the required permission. */
export const forbidden = () => new AppError(403, "errors.forbidden");
/** 409: someone else kept changing the row on every attempt. */
export const stale = () => new AppError(409, "errors.stale");
/** 409: the request does not fit the current state. */
export const conflict = (key: string, params?: Sentence["params"]) =>
  new AppError(409, key, params);
/** 400: the sentence `key` about a single field. */
export const invalidField = (field: string, key: string, params?: Sentence["params"]) =>
  new AppError(400, key, params, { fields: { [field]: { key, params } } });

/** The process was asked to stop before it had begun to serve. This is not a failure. */
export class Ended extends Error {
  override name = "Ended";
}
