const TEXT = Symbol("the text of a secret");
const REFERENCE = Symbol("where the text of a secret is");

/**
 * A text that must not be seen. It stays hidden when the value is printed, copied or serialized as
 * JSON. Only `reveal` reads it, for a purpose.
 */
export interface Secret {
  readonly [TEXT]: () => string;
  readonly [REFERENCE]?: object;
}

export const conceal = (text: string): Secret => ({ [TEXT]: () => text });

/**
 * Stands for a secret that is stored elsewhere, until whatever executes a run reads it there. Its
 * text cannot be read before: see `lib/execution/sources/`.
 */
export const referTo = (reference: object): Secret => ({
  [TEXT]: () => {
    throw new Error("The text of this secret was not read yet");
  },
  [REFERENCE]: reference,
});

/** Returns what `referTo` was given; null for a secret whose text is here. */
export const referenceOf = (secret: Secret): object | null => secret[REFERENCE] ?? null;

/** Reasons to read the text of a secret. `tests/house/one_place_test.ts` has the rooms of each. */
export type SecretPurpose =
  /** A process of a run gets it, as a variable or as a file that only its account can read. */
  | "run"
  /** It is hidden in output. */
  | "mask"
  /** It is taken apart, or measured. Parts that are secret are concealed again. */
  | "parse"
  /** The provider, directory or receiver of the audit log that it belongs to gets it. */
  | "provider"
  /** It is compared with the text that a caller sent. */
  | "compare"
  /** It is state that this server sealed for a later request. */
  | "resume"
  /** People who may see it get it in an answer. */
  | "show"
  /** It comes from another server, and is stored here. */
  | "import"
  /** It is sealed with another key. */
  | "reseal"
  /** A runner gets it in a plan that is sealed to its key. */
  | "seal"
  /** The server that has issued it to this runner gets it. */
  | "server"
  /** The service that receives alerts gets it. */
  | "alert"
  /** The secret storage that it belongs to gets it. */
  | "source";

/** Returns the text of a secret, or a plain text unchanged. */
export const reveal = (text: Secret | string, _purpose: SecretPurpose): string => textOf(text);

const textOf = (text: Secret | string): string => typeof text === "string" ? text : text[TEXT]();

export const isSecret = (value: unknown): value is Secret =>
  typeof value === "object" && value !== null && TEXT in value;

export const isEmpty = (secret: Secret): boolean => textOf(secret) === "";

/** Returns the JSON of a value, including the texts of its secrets. */
export const secretJson = (value: unknown): Secret => conceal(jsonOf(value));

/** Returns the JSON of an object like `secretJson`, with the JSON of some members as it stands. */
export const secretJsonWith = (of: object, texts: ReadonlyMap<string, string>): Secret =>
  conceal(
    `{${
      Object.entries(of)
        .map(([name, value]) => `${JSON.stringify(name)}:${texts.get(name) ?? jsonOf(value)}`)
        .join(",")
    }}`,
  );

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) => isSecret(part) ? textOf(part) : part);

/** Returns all secrets in a value, at every depth. */
export function secretsIn(value: unknown): Secret[] {
  const found: Secret[] = [];
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (isSecret(next)) found.push(next);
    else if (typeof next === "object" && next !== null) {
      for (const member of Object.values(next)) left.push(member);
    }
  }
  return found;
}
