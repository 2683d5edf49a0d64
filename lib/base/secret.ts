const TEXT = Symbol("the text of a secret");

/**
 * A text that must not be seen. It stays hidden when the value is printed, copied or serialized as
 * JSON. Only `reveal` reads it.
 */
export interface Secret {
  readonly [TEXT]: () => string;
}

export const conceal = (text: string): Secret => ({ [TEXT]: () => text });

/** Returns the text of a secret, or a plain text unchanged. */
export const reveal = (text: Secret | string): string =>
  typeof text === "string" ? text : text[TEXT]();

export const isSecret = (value: unknown): value is Secret =>
  typeof value === "object" && value !== null && TEXT in value;

export const isEmpty = (secret: Secret): boolean => reveal(secret) === "";

/** Returns the JSON of a value, including the texts of its secrets. */
export const secretJson = (value: unknown): Secret =>
  conceal(JSON.stringify(value, (_, part) => isSecret(part) ? reveal(part) : part));

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
