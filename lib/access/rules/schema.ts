import * as z from "zod";
import { idField, preservedField } from "../../base/fields.ts";
import { type AccessRule, accessRuleOf } from "../../model/access_rule.ts";

/** Maximum numbers of roles and people that a rule names. */
const ROLES_MAX = 50;
const PEOPLE_MAX = 200;

const unique = <T>(list: T[] | null | undefined): T[] => [...new Set(list ?? [])];

/** Roles and people, as they are sent. An empty audience has nobody but owners. */
const audienceField = z.object({
  roles: z.array(z.string().trim().min(1, "errors.required").max(100, "errors.too_long"))
    .max(ROLES_MAX, "errors.too_long").nullish().transform(unique),
  user_ids: z.array(idField).max(PEOPLE_MAX, "errors.too_long").nullish().transform(unique),
}).meta({ name: "AudienceBody" });

/** Rule about who may see, run and edit an object, as it is sent; null for everyone. */
export const accessRuleFields = {
  visible_to: preservedField(audienceField),
  run_by: preservedField(audienceField),
  edit_by: preservedField(audienceField),
};

const audienceSchema = z.object({
  roles: z.array(z.string()),
  user_ids: z.array(z.int()),
}).meta({ name: "Audience" });

/** The same, as it is answered. */
export const accessRuleViews = {
  visible_to: audienceSchema.nullable(),
  run_by: audienceSchema.nullable(),
  edit_by: audienceSchema.nullable(),
};

/** Returns the answered rule of a row. */
export const accessRuleView = ({ visible_to, run_by, edit_by }: AccessRule) => ({
  visible_to: visible_to ?? null,
  run_by: run_by ?? null,
  edit_by: edit_by ?? null,
});

/** Returns the stored rule: what was sent, and what is stored of what was not. */
export const storedAccessRule = (sent: AccessRule, stored: AccessRule): AccessRule =>
  accessRuleOf({
    visible_to: sent.visible_to === undefined ? stored.visible_to : sent.visible_to,
    run_by: sent.run_by === undefined ? stored.run_by : sent.run_by,
    edit_by: sent.edit_by === undefined ? stored.edit_by : sent.edit_by,
  }) ?? {};
