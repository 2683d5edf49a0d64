import { z } from "zod";
import { type Told, toldSchema } from "../../base/told.ts";
import { tell } from "../../i18n/tell.ts";
import type { Translate } from "../../i18n/translate.ts";

/** Puts what is told in a value into a language. */
// deno-lint-ignore no-explicit-any -- values are as the schema says
type Telling = (value: any, t: Translate) => unknown;

/**
 * How answers of a schema are put into the caller's language: copies with sentences in the place of
 * all that is told. Null where nothing is, so that nothing has to be copied.
 */
export function tellingOf(schema: z.core.$ZodType): Telling | null {
  if (schema === toldSchema) return (value: Told, t) => tell(value, t);
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
    const told = { ...value };
    for (const { name, telling } of members) told[name] = telling(value[name], t);
    return told;
  };
}
