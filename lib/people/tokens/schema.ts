import * as z from "zod";
import {
  flagField,
  idField,
  lineField,
  preservedField,
  unsupportedField,
} from "../../base/fields.ts";
import { TOKEN_SCOPES } from "../../model/token_limits.ts";

/** How many letters of a token lists show. They name it when it is deleted. */
export const PREFIX_LENGTH = 8;

const LIST_MAX = 100;

/** A list of choices. Null stands for all, and an empty list would allow nothing. */
const chosen = <Item extends z.ZodType>(item: Item, max = LIST_MAX) =>
  z.array(item).min(1, "errors.required").max(max, "errors.too_long").nullish();

const ids = chosen(idField);
const networks = chosen(lineField(100));
const scopes = chosen(z.enum(TOKEN_SCOPES, "errors.token_scopes"), TOKEN_SCOPES.length);
const time = z.iso.datetime({ offset: true, error: "errors.time" });
const isoTime = (value: string) => new Date(value).toISOString();

/** Limits of a token, as they are sent. */
export const tokenLimitFields = {
  /** Null or nothing for everything that the person may do. */
  scopes,
  project_ids: ids,
  template_ids: ids,
  networks,
};

export const tokenForm = z.object({
  name: lineField(100).nullish().transform((value) => value ?? ""),
  expires_at: time.nullish().transform((value) => value ? isoTime(value) : null),
  /** Whether the token may create others, which could outlive it. */
  may_make_tokens: flagField,
  ...tokenLimitFields,
  /** Members that other servers have, which would be ignored here. */
  read_only: unsupportedField(z.boolean(), "errors.token_scope"),
  project_id: unsupportedField(z.int(), "errors.token_scope"),
}).meta({
  example: {
    name: "Nightly script",
    expires_at: "2040-01-01T00:00:00Z",
    scopes: ["read", "run"],
    networks: ["192.0.2.0/24"],
  },
});
export type TokenForm = z.output<typeof tokenForm>;

/** Changes of a token. What is not sent stays. */
export const tokenChangeForm = z.object({
  name: preservedField(lineField(100)),
  expires_at: preservedField(time),
  may_make_tokens: preservedField(z.boolean()),
  ...tokenLimitFields,
}).meta({ example: { name: "Nightly script", scopes: ["read"] } });
export type TokenChangeForm = z.output<typeof tokenChangeForm>;

/** Limits of a token, as they are answered. Null stands for none. */
export const tokenLimitsSchema = z.object({
  scopes: z.array(z.enum(TOKEN_SCOPES)).nullable(),
  project_ids: z.array(z.int()).nullable(),
  template_ids: z.array(z.int()).nullable(),
  networks: z.array(z.string()).nullable(),
});

export const tokenSchema = tokenLimitsSchema.extend({
  /** First letters of the token. Only the answer to its creation contains the whole token. */
  id: z.string(),
  name: z.string(),
  created: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  expired: z.boolean(),
  /** Accurate to some minutes; null if it was never used. */
  last_used: z.iso.datetime().nullable(),
  /** Address of that use; null if it was never used. */
  last_address: z.string().nullable(),
  user_id: z.int(),
  may_make_tokens: z.boolean(),
});
/** A token as the API answers it. */
export type TokenView = z.output<typeof tokenSchema>;
