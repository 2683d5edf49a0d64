import * as z from "zod";
import { roleSlugField } from "../../access/rules/role_slug.ts";
import { userSchema } from "../users/schema.ts";

/** A new member and their role. */
export const newMemberForm = z.object({
  user_id: z.int("errors.required").min(1, "errors.required"),
  role: roleSlugField,
}).meta({ example: { user_id: 2, role: "task_runner" } });
export type NewMemberForm = z.output<typeof newMemberForm>;

/** The same if the path names the user. */
export const memberForm = z.object({ role: roleSlugField }).meta({
  name: "RoleBody",
  example: { role: "task_runner" },
});
export type MemberForm = z.output<typeof memberForm>;

export const memberSchema = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  /** Slug of a role. */
  role: z.string(),
}).meta({ name: "Member" });
/** A member as the API answers it; `id` is the user's. */
export type MemberView = z.output<typeof memberSchema>;

/** One member. The rest of the account is for people who manage users, and for the member. */
export const memberDetailSchema = memberSchema.extend(
  userSchema.partial().omit({
    id: true,
    username: true,
    name: true,
    notify_own: true,
  }).shape,
);
export type MemberDetail = z.output<typeof memberDetailSchema>;
