import { hasMembers, scalarText } from "../base/text/exact_json.ts";
import type { Sentence } from "../base/errors.ts";
import { type Choice, CHOICES_MAX } from "./answer_types.ts";
import type { ChoiceList } from "./choices.ts";
import type { SurveyVar } from "./schema.ts";

/** Position of choices in a document. */
export type ChoicesAt = Pick<NonNullable<SurveyVar["choices_from"]>, "key" | "by">;

/** Maximum size of a document with choices. */
export const DOCUMENT_BYTES_MAX = 256 * 1024;
/** Longest value that an answer may have. */
const VALUE_MAX = 4096;

/** A document that has no choices at the position, with the reason. */
class NoChoices extends Error {
  constructor(readonly problem: Sentence) {
    super(problem.key);
  }
}

/** The problem of a document that is too large. */
export const TOO_LARGE: Sentence = {
  key: "errors.choices.too_large",
  params: { bytes: DOCUMENT_BYTES_MAX },
};

const noChoices = (name: "no_map" | "no_list", key: string) =>
  new NoChoices({ key: `errors.choices.${name}`, params: { key: key || "." } });

/** Returns the choices at a position of a parsed document, or the reason why there are none. */
export function choicesIn(document: unknown, { key = "", by }: ChoicesAt): ChoiceList {
  try {
    const found = memberAt(document, key);
    if (by === undefined) return { choices: choicesOf(found, key) };
    if (!isObject(found)) throw noChoices("no_map", key);
    let size = 0;
    const lists = Object.entries(found).map(([answer, list]) => {
      const choices = choicesOf(list, [key, answer].filter(Boolean).join("."));
      // Aliases of YAML can repeat a long list many times.
      for (const { value } of choices) size += value.length + 1;
      if (size > DOCUMENT_BYTES_MAX) throw new NoChoices(TOO_LARGE);
      return [answer, choices] as const;
    });
    return { choices: Object.fromEntries(lists) };
  } catch (error) {
    if (error instanceof NoChoices) return { choices: null, problem: error.problem };
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  hasMembers(value) && !Array.isArray(value);

function memberAt(document: unknown, key: string): unknown {
  let found = document;
  for (const name of key === "" ? [] : key.split(".")) {
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** A list has its items as choices, and anything with members has their names. */
function choicesOf(value: unknown, key: string): Choice[] {
  const items = isObject(value) ? Object.keys(value) : value;
  if (!Array.isArray(items)) {
    throw noChoices("no_list", key);
  }
  const choices = new Map<string, Choice>();
  for (const item of items) {
    const choice = choiceOf(item);
    if (!choice) throw noChoices("no_list", key);
    if (choice.value !== "") choices.set(choice.value, choice);
    if (choices.size > CHOICES_MAX) {
      throw new NoChoices({ key: "errors.choices.over_limit", params: { max: CHOICES_MAX } });
    }
  }
  return [...choices.values()];
}

/** Reads a choice: a text, or an object with a value and perhaps a name. */
function choiceOf(item: unknown): Choice | null {
  const { value, name } = isObject(item) ? item : { value: item, name: undefined };
  const text = textOf(value);
  return text === null ? null : { value: text, name: textOf(name) || text };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || hasMembers(value)) return null;
  const text = scalarText(value);
  return text.length > VALUE_MAX || text.includes("\0") ? null : text;
}
