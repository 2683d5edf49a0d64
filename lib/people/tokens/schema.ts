import { z } from "zod";
import { flagField, lineField } from "../../base/fields.ts";

/** Letters of a token that lists show, and that name it when it is deleted. */
export const PREFIX_LENGTH = 8;

export const tokenForm = z.object({
  name: lineField(100).nullish().transform((value) => value ?? ""),
  expires_at: z.iso.datetime({ offset: true, error: "errors.time" }).nullish()
    .transform((value) => value ? new Date(value).toISOString() : null),
  /** Whether the token may make others, which could outlive it. */
  may_make_tokens: flagField,
});
export type TokenForm = z.output<typeof tokenForm>;

export const tokenSchema = z.object({
  /** The first letters of the token; the whole of it only in the answer to its creation. */
  id: z.string(),
  name: z.string(),
  created: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  expired: z.boolean(),
  /** To within some minutes; null when it was never used. */
  last_used: z.iso.datetime().nullable(),
  user_id: z.int(),
  may_make_tokens: z.boolean(),
});
/** What the API answers. */
export type TokenView = z.output<typeof tokenSchema>;
