import * as z from "zod";
import { flagField, idField, lineField, unsupportedField } from "../../base/fields.ts";

/** How many letters of a token lists show. They name it when it is deleted. */
export const PREFIX_LENGTH = 8;

export const tokenForm = z.object({
  name: lineField(100).nullish().transform((value) => value ?? ""),
  expires_at: z.iso.datetime({ offset: true, error: "errors.time" }).nullish()
    .transform((value) => value ? new Date(value).toISOString() : null),
  /** Whether the token may create others, which could outlive it. */
  may_make_tokens: flagField,
  /** A token has all rights of its owner, which people who send these do not expect. */
  scopes: unsupportedField(
    z.union([z.string(), z.array(z.string()).max(100, "errors.too_long")]),
    "errors.token_scope",
  ),
  read_only: unsupportedField(z.boolean(), "errors.token_scope"),
  project_id: unsupportedField(z.int(), "errors.token_scope"),
  project_ids: unsupportedField(z.array(idField).max(100, "errors.too_long"), "errors.token_scope"),
}).meta({ example: { name: "Nightly script", expires_at: "2040-01-01T00:00:00Z" } });
export type TokenForm = z.output<typeof tokenForm>;

export const tokenSchema = z.object({
  /** First letters of the token. Only the answer to its creation contains the whole token. */
  id: z.string(),
  name: z.string(),
  created: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  expired: z.boolean(),
  /** Accurate to some minutes; null if it was never used. */
  last_used: z.iso.datetime().nullable(),
  user_id: z.int(),
  may_make_tokens: z.boolean(),
});
/** A token as the API answers it. */
export type TokenView = z.output<typeof tokenSchema>;
