import * as z from "zod";
import { requiredLineField } from "../../base/fields.ts";
import { tokenForm, tokenLimitFields, tokenLimitsSchema } from "../tokens/schema.ts";

const { scopes, template_ids, networks } = tokenLimitFields;
const { expires_at, read_only, project_id } = tokenForm.shape;

/** A token of a project. Without scopes it may do all that its creator may give. */
export const projectTokenForm = z.object({
  name: requiredLineField(100),
  expires_at,
  scopes,
  template_ids,
  networks,
  read_only,
  project_id,
}).meta({
  example: { name: "CI", scopes: ["read", "run"], networks: ["192.0.2.0/24"] },
});
export type ProjectTokenForm = z.output<typeof projectTokenForm>;

export const projectTokenSchema = tokenLimitsSchema.omit({ project_ids: true }).extend({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  /** First letters of the token. */
  prefix: z.string(),
  created: z.iso.datetime(),
  created_by: z.string(),
  expires_at: z.iso.datetime().nullable(),
  /** Accurate to some minutes; null if it was never used. */
  last_used: z.iso.datetime().nullable(),
  last_address: z.string().nullable(),
  /** A suspended token works again once someone who manages the team keeps it. */
  state: z.enum(["active", "expired", "suspended"]),
  /** Why it is suspended; null for other states. */
  reason: z.enum(["creator_deleted", "creator_left", "creator_lost_rights"]).nullable(),
  /** Whether it works without its creator, because someone has kept it. */
  kept: z.boolean(),
  /** The whole token, only in the answer to its creation. */
  token: z.string().optional(),
});
/** A token of a project as the API answers it. */
export type ProjectTokenView = z.output<typeof projectTokenSchema>;
