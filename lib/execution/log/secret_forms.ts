import { type Encoder, ENCODERS } from "./encoders.ts";
import { inJson, PLAIN } from "./escapes.ts";

/** Shorter secrets are not masked, because that would cut holes all over the output. */
const SECRET_LENGTH_MIN = 4;
/**
 * These are frequent in every output. Masking them would show where a secret is, and hide nothing.
 */
const NO_SECRETS = /^(true|false|null|none)$/i;
/** Shortest line of a multi-line secret that is masked on its own. */
const LINE_LENGTH_MIN = 8;
/** Shortest part of a passphrase that is masked on its own, and the longest passphrase to split. */
const FOLDED_LENGTH_MIN = 12;
const FOLDED_LENGTH_MAX = 256;
/** Units of all encoded forms of one task's secrets. */
export const FORMS_LENGTH_MAX = 512 * 1024;

/**
 * Returns all forms of a task's secrets to look for: the secrets themselves, their lines, and the
 * output of one or two `ENCODERS` in sequence. Each secret has the same share of
 * `FORMS_LENGTH_MAX`, which is ample for passwords and tokens. If there is no room for all forms of
 * a long secret, they are dropped from the end: first those of two encoders, then those of the last
 * encoders.
 */
export function secretForms(secrets: Iterable<string>): Set<string> {
  // Space around a secret is not secret, and masking a line end would join two lines.
  const texts = new Set([...secrets].map((secret) => secret.trim()).filter(isSecret));
  const share = FORMS_LENGTH_MAX / texts.size;
  const forms = new Set<string>();
  for (const text of texts) {
    foldedOf(text).forEach((form) => forms.add(form));
    formsOf(text, share).forEach((form) => forms.add(form));
  }
  return forms;
}

const isSecret = (text: string) => text.length >= SECRET_LENGTH_MIN && !NO_SECRETS.test(text);

function formsOf(text: string, lengthMax: number): Set<string> {
  const forms = new Set([text, ...linesOf(text)]);
  let room = lengthMax;
  /** Adds forms while there is room. Returns false when there was too little. */
  const add = (made: Iterable<string>): boolean => {
    for (const form of made) {
      if (forms.has(form)) continue;
      room -= form.length;
      if (room < 0) return false;
      forms.add(form);
    }
    return true;
  };
  if (!add(encoded([...forms]))) return forms;
  const once = [...forms];
  if (add(once.values().flatMap(inNestedJson))) add(encoded(once));
  return forms;
}

/**
 * Returns each text in each encoder's forms, lazily, because there may be no room for most of them.
 */
const encoded = (texts: string[]): Iterable<string> =>
  Object.values(ENCODERS).values().flatMap((encode) => texts.values().flatMap(encode));

function linesOf(text: string): string[] {
  if (!text.includes("\n")) return [];
  return text.split("\n").map((line) => line.trim()).filter((line) =>
    line.length >= LINE_LENGTH_MIN
  );
}

/** Returns the parts of a text that YAML writes on separate lines when it folds it at a blank. */
function foldedOf(text: string): string[] {
  if (text.length > FOLDED_LENGTH_MAX) return [];
  return [...text.matchAll(/ +/g)].flatMap(({ index, 0: blank }) => [
    text.slice(0, index),
    text.slice(index + blank.length),
  ]).filter((part) => part.length >= FOLDED_LENGTH_MIN);
}

/**
 * Writes a text as JSON inside JSON, several levels deep. Modules return JSON that tools gave them,
 * and Ansible shows their answers as JSON again.
 */
const inNestedJson: Encoder = (text) =>
  PLAIN.test(text)
    ? []
    : NESTED_JSON.reduce((forms) => [...forms, inJson(forms.at(-1) ?? text)], [] as string[]);
const NESTED_JSON = [1, 2, 3, 4];
