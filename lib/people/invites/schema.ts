import * as z from "zod";
import { evenIfFieldsFail, lineField, nameField, optionalIdField } from "../../base/fields.ts";
import { memberForm } from "../team/schema.ts";
import { isOneAddress, userFormWithoutPassword } from "../users/schema.ts";

const INVITE_STATUSES = ["pending", "accepted", "declined", "expired"] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

const { role } = memberForm.shape;

/** Someone to invite: by e-mail address or by account, never both. */
export const newInviteBody = z.object({
  email: lineField(254).nullish().transform((text) => text || null)
    .refine((text) => text === null || isOneAddress(text), "errors.email"),
  user_id: optionalIdField,
  role,
  /** Seven days from now if it is left out. */
  expires_at: z.iso.datetime({ offset: true, error: "errors.time" }).nullish()
    .transform((text) => text ? new Date(text).toISOString() : null),
}).refine(({ email, user_id }) => (email === null) !== (user_id === null), {
  path: ["email"],
  error: "errors.invite_whom",
  ...evenIfFieldsFail,
}).meta({ example: { email: "nora@example.com", role: "task_runner" } });
export type NewInvite = z.output<typeof newInviteBody>;

/** How long an invitation may last, in days. The form offers these. */
export const INVITE_DAYS = ["1", "3", "7", "30"] as const;
export const USUAL_INVITE_DAYS = 7;

/** An invitation as a person types it. */
export const inviteForm = z.object({
  email: userFormWithoutPassword.shape.email,
  role,
  days: z.enum(INVITE_DAYS, "errors.required"),
});

/** Change of an invitation: a client can end it. Sending the present status changes nothing. */
export const inviteChangeBody = z.object({
  status: z.enum(INVITE_STATUSES, "errors.unknown_type"),
}).meta({ example: { status: "expired" } });

export const inviteTokenBody = z.object({
  token: z.string("errors.required").trim().min(1, "errors.required").max(200, "errors.too_long"),
}).meta({ example: { token: "the end of the link" } });

/** The name of someone who sets up an account by an invitation. */
export const joinForm = z.object({ name: nameField });
export type JoinForm = z.output<typeof joinForm>;

export const inviteSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  email: z.string().nullable(),
  /** The invited account. For an address, the account that has accepted. */
  user_id: z.int().nullable(),
  /** Name of that account; null without one, and after its deletion. */
  user_name: z.string().nullable(),
  role,
  status: z.enum(INVITE_STATUSES),
  inviter_user_id: z.int(),
  inviter_name: z.string().nullable(),
  /** Whether the inviter can still give this role. Otherwise no one can accept. */
  inviter_may: z.boolean(),
  created: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  accepted_at: z.iso.datetime().nullable(),
}).meta({ name: "Invite" });
/** An invitation as pages and the API get it. */
export type InviteView = z.output<typeof inviteSchema>;

/** A new invitation. Only the answer that creates it has its link. */
export const madeInviteSchema = inviteSchema.extend({
  token: z.string(),
  /** Below the address of the server. */
  path: z.string(),
  /** Whether a mail with the link was sent. */
  mailed: z.boolean(),
});

export const acceptedInviteSchema = z.object({ project_id: z.int() });
