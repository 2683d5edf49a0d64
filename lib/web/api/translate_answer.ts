import * as z from "zod";
import { type SentenceOrText, sentenceOrTextSchema } from "../../base/sentence_or_text.ts";
import { tell } from "../../i18n/tell.ts";
import type { Translate } from "../../i18n/translate.ts";

/** Translates the messages in a value into a language. */
// deno-lint-ignore no-explicit-any -- values are as the schema says
type Telling = (value: any, t: Translate) => unknown;

/**
 * Returns a function that translates the messages in results of a schema. It copies the results
 * with sentences in place of the messages. Returns null if the schema contains no messages, so that
 * nothing is copied.
 */
export function tellingOf(schema: z.core.$ZodType): Telling | null {
  if (schema === sentenceOrTextSchema) return (value: SentenceOrText, t) => tell(value, t);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = tellingOf(schema.unwrap());
    return inner && ((value, t) => value == null ? value : inner(value, t));
  }
  if (schema instanceof z.ZodArray) {
    const item = tellingOf(schema.element);
    return item && ((values: unknown[], t) => values.map((value) => item(value, t)));
  }
  return schema instanceof z.ZodObject ? tellingOfObject(schema) : null;
}

function tellingOfObject({ shape }: z.ZodObject): Telling | null {
  const members = Object.entries(shape).flatMap(([name, member]) => {
    const telling = tellingOf(member);
    return telling ? [{ name, telling }] : [];
  });
  if (members.length === 0) return null;
  return (value, t) => {
    const translated = { ...value };
    for (const { name, telling } of members) translated[name] = telling(value[name], t);
    return translated;
  };
}
