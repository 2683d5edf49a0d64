import * as z from "zod";
import { nameField } from "../../base/fields.ts";
import { memberForm } from "../team/schema.ts";
import { userFormWithoutPassword } from "../users/schema.ts";

const openLinkSchema = z.object({
  expires: z.iso.datetime(),
  /** Whether the link also sets a new password. */
  sets_password: z.boolean(),
});
/** A link that nobody has used yet. Only the answer that creates it has its address. */
export type OpenLink = z.output<typeof openLinkSchema>;

export const openLinksSchema = z.object({
  /** Whether an administrator can create a link for the account. */
  can_make: z.boolean(),
  links: z.array(openLinkSchema),
});
export type OpenLinks = z.output<typeof openLinksSchema>;

export const madeLinkSchema = openLinkSchema.pick({ expires: true }).extend({
  /** Below the address of the server. */
  path: z.string(),
});

/** Someone who has no account yet, and their role in a project. */
export const newPersonForm = memberForm.extend({
  name: nameField,
  email: userFormWithoutPassword.shape.email,
});
export type NewPersonForm = z.output<typeof newPersonForm>;
