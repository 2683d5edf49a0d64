/** A sentence of the locale files, still untranslated: its key and what is filled in. */
export interface Sentence {
  key: string;
  params?: SentenceParams;
}

/** What is filled in: text, raw numbers, or parts that are sentences themselves. */
export type SentenceParams = Record<string, string | number | Sentence | Sentence[]>;

interface ErrorDetails {
  /** What is wrong with which field, for forms and for `"fields"` in API answers. */
  fields?: Record<string, Sentence>;
  /** Further members of the API's answer, such as `inUse` and the references. */
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Every failure that a person may be told of: a status, a locale key and its data, no sentence. */
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

/** What went wrong, to be stored or told later: of one wrong field what is wrong with it. */
export function sentenceOf({ key, params, details }: AppError): Sentence {
  const [field] = Object.values(details.fields ?? {});
  return field ?? { key, params };
}

/** 404: unknown, or not yours; the two cannot be told apart. */
export const notFound = () => new AppError(404, "errors.not_found");
/** 401: nobody is signed in. */
export const unauthorized = () => new AppError(401, "errors.unauthorized");
/** 403: a member without the right. */
export const forbidden = () => new AppError(403, "errors.forbidden");
/** 409: the row was changed by somebody else again and again while this was tried. */
export const stale = () => new AppError(409, "errors.stale");
/** 409: what was asked for does not go with the state things are in. */
export const conflict = (key: string, params?: Sentence["params"]) =>
  new AppError(409, key, params);
/** 400: the sentence `key` about one field. */
export const invalidField = (field: string, key: string, params?: Sentence["params"]) =>
  new AppError(400, key, params, { fields: { [field]: { key, params } } });
