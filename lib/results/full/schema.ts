import { z } from "zod";
import { hostResultSchema } from "../schema.ts";

const count = z.int();

export const shortenedSchema = z.array(z.object({
  path: z.array(z.union([z.string(), count])),
  /** Characters of a text, or members of a list, before it was shortened. */
  length: count,
}));

export const fullResultSchema = hostResultSchema.extend({
  /** Full answer of the module; null if it is not stored or hidden, or if there was no room. */
  result: z.record(z.string(), z.unknown()).nullable(),
  /** Parts of `result` of which only the beginning is stored. */
  shortened: shortenedSchema,
});
export type FullHostResult = z.output<typeof fullResultSchema>;
