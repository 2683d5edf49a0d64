import { type Encoder, ENCODERS } from "./encoders.ts";
import { inJson, PLAIN } from "./escapes.ts";

/** A secret shorter than this is not masked: it would make holes all over the output. */
const SECRET_LENGTH_MIN = 4;
/** Every output is full of these: masking them tells where a secret stands, and hides nothing. */
const NO_SECRETS = /^(true|false|null|none)$/i;
/** Shortest line of a secret with many lines that is masked on its own. */
const LINE_LENGTH_MIN = 8;
/** Shortest part of a passphrase that is masked on its own, and the longest one it is done for. */
const FOLDED_LENGTH_MIN = 12;
const FOLDED_LENGTH_MAX = 256;
/** Units of all encoded forms of one task's secrets. */
export const FORMS_LENGTH_MAX = 512 * 1024;

/**
 * Every form in which the secrets of a task are looked for: as they are, by their lines, and as one
 * or two of `ENCODERS` after each other write them. Each secret has the same share of
 * `FORMS_LENGTH_MAX`, which is ample for passwords and tokens. What has no room for a long one is
 * left out from the end: first two encoders, then the encoders that come last.
 */
export function secretForms(secrets: Iterable<string>): Set<string> {
  // Space around it tells nothing, and masking its line end would glue two lines together.
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
  /** Adds what there is room for; false when there was too little. */
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

/** What each encoder makes of each text, one after the other: most of it may find no room. */
const encoded = (texts: string[]): Iterable<string> =>
  Object.values(ENCODERS).values().flatMap((encode) => texts.values().flatMap(encode));

function linesOf(text: string): string[] {
  if (!text.includes("\n")) return [];
  return text.split("\n").map((line) => line.trim()).filter((line) =>
    line.length >= LINE_LENGTH_MIN
  );
}

/** What YAML leaves on either line where it breaks a long text at a blank. */
function foldedOf(text: string): string[] {
  if (text.length > FOLDED_LENGTH_MAX) return [];
  return [...text.matchAll(/ +/g)].flatMap(({ index, 0: blank }) => [
    text.slice(0, index),
    text.slice(index + blank.length),
  ]).filter((part) => part.length >= FOLDED_LENGTH_MIN);
}

/**
 * In texts of JSON in texts of JSON, and so on: modules answer JSON that tools gave them, and Ansible
 * shows their answers as JSON again.
 */
const inNestedJson: Encoder = (text) =>
  PLAIN.test(text)
    ? []
    : NESTED_JSON.reduce((forms) => [...forms, inJson(forms.at(-1) ?? text)], [] as string[]);
const NESTED_JSON = [1, 2, 3, 4];
