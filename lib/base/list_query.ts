import { z } from "zod";

/** A number in the query of a list: what is no whole number from `min` on counts as not sent. */
export const listNumber = (min = 1) => z.coerce.number().int().min(min).optional().catch(undefined);

/** How much of a list is wanted: `limit`, or `count` as some clients call it. */
export const listSize = { limit: listNumber(), count: listNumber() };

/** A filter of a list: an empty one counts as not sent; `error` is told of one that says nothing. */
export const listFilter = <Schema extends z.ZodType>(schema: Schema, error: string) =>
  z.union([z.literal("").transform(() => undefined), schema], { error }).optional();
