import { z } from "zod";
import { hostResultSchema } from "../schema.ts";

const count = z.int();

export const shortenedSchema = z.array(z.object({
  path: z.array(z.union([z.string(), count])),
  /** Characters of a text, or members of a list, before it was cut. */
  length: count,
}));

export const fullResultSchema = hostResultSchema.extend({
  /** All that the module answered; null where it is not kept, hidden, or there was no room. */
  result: z.record(z.string(), z.unknown()).nullable(),
  /** Parts of `result` of which only the beginning is kept. */
  shortened: shortenedSchema,
});
export type FullHostResult = z.output<typeof fullResultSchema>;
