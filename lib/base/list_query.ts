import * as z from "zod";

/**
 * A number in the query of a list. Anything but a whole number from `min` on counts as not sent.
 */
export const listNumber = (min = 1) => z.coerce.number().int().min(min).optional().catch(undefined);

/** Size of a page of a list: `limit`, or `count` as some clients call it. */
export const listSize = { limit: listNumber(), count: listNumber() };

/**
 * A filter with one or more of `values`, separated by commas. An empty filter counts as not sent.
 */
export const listChoices = <Value extends string>(values: readonly Value[], error: string) =>
  z.string().describe(`One or more of these, separated by commas: ${values.join(", ")}`)
    .transform((text, ctx): Value[] | undefined => {
      if (text === "") return undefined;
      const wanted = values.filter((value) => text.split(",").includes(value));
      if (text.split(",").every((word) => wanted.some((value) => value === word))) return wanted;
      ctx.addIssue({ code: "custom", message: error });
      return z.NEVER;
    })
    .optional();

/**
 * A filter of a list. An empty one counts as not sent. `error` is the message for an invalid one.
 */
export const listFilter = <Schema extends z.ZodType>(schema: Schema, error: string) =>
  z.union([z.literal("").transform(() => undefined), schema], { error }).optional();
