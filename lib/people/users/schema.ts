import { z } from "zod";
import { knownTimeZone } from "../../i18n/time_zone.ts";
import { flagField, nameField, requiredLineField, toldAtOnce } from "../../base/fields.ts";
import { isOneAddress } from "./email.ts";

/**
 * A new password. Any but an empty one: clients set passwords of their own making, and a rule that
 * refuses some of them would break those clients without making a person choose a better one.
 */
const newPassword = z.string("errors.required").min(1, "errors.required")
  .max(1024, "errors.too_long");

const email = requiredLineField(254);
const emailField = email.refine(isOneAddress, "errors.email");
/** Other servers do not ask for more than any text; what looks like an address is one, no list. */
const emailText = email.refine((text) => !text.includes("@") || isOneAddress(text), "errors.email");
const passwordField = z.string().max(1024, "errors.too_long").nullish()
  .transform((value) => value ?? "");

/**
 * Whether the account's API tokens end with its old password. Where it is not said they do when an
 * admin sets the password of somebody else, and stay when somebody changes their own.
 */
const revokeTokens = z.boolean().nullish();

/** Asked before one's own password or e-mail address is changed. */
const currentPassword = z.string().max(1024, "errors.too_long").nullish();

/** A change of a user by a client of the API. An empty password stays as it is, as one's own `admin`. */
export const userChangeBody = z.object({
  name: nameField,
  username: requiredLineField(100),
  email: emailText,
  password: passwordField,
  admin: z.boolean().nullish(),
  alert: flagField,
  revoke_tokens: revokeTokens,
  current_password: currentPassword,
});
export type UserChangeForm = z.output<typeof userChangeBody>;

/** The same as a person may type it. Messages are locale keys, never sentences. */
export const userChangeForm = userChangeBody.extend({ email: emailField });

/** A new user of a client of the API: without a password, who signs in nowhere until one is set. */
export const userBody = userChangeBody.omit({ revoke_tokens: true, current_password: true }).extend(
  {
    admin: flagField,
    external: flagField,
  },
);
export type UserForm = z.output<typeof userBody>;

/** What an admin may type for a new user. */
export const userForm = userBody.extend({ email: emailField }).refine(
  (form) => form.external || form.password !== "",
  {
    path: ["password"],
    error: "errors.required",
    ...toldAtOnce,
  },
);

export const passwordForm = z.object({
  password: newPassword,
  revoke_tokens: revokeTokens,
  current_password: currentPassword,
});
export type PasswordForm = z.output<typeof passwordForm>;

export const userSchema = z.object({
  id: z.int(),
  created: z.iso.datetime(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  admin: z.boolean(),
  /** Signs in through a provider only: has no password here. */
  external: z.boolean(),
  /** Wants e-mails about failed tasks. */
  alert: z.boolean(),
});
/** What the API answers. */
export type UserView = z.output<typeof userSchema>;

export const currentUserSchema = userSchema.extend({ can_create_project: z.boolean() });
export type CurrentUserView = z.output<typeof currentUserSchema>;

/** A user in lists: who may not manage users gets the names only. */
export const listedUserSchema = userSchema.partial().required({
  id: true,
  username: true,
  name: true,
});
export type ListedUser = z.output<typeof listedUserSchema>;

/** In which zone times are told: one of the tz database, or "" for the browser's. */
export const timezoneForm = z.object({
  timezone: z.string().refine(
    (name) => name === "" || knownTimeZone(name) !== null,
    "errors.invalid",
  ),
});
export type TimezoneForm = z.output<typeof timezoneForm>;

/** What is stored. */
export interface UserRow extends UserView {
  /** Argon2id in its usual encoding; null when there is no password to sign in with. */
  password: string | null;
  /** Whether a code is asked for after the password; missing in rows of earlier versions. */
  second_factor?: boolean;
  /** As in `timezoneForm`; missing in rows of earlier versions. */
  timezone?: string;
  /** Of the language menu, where they have chosen one; missing in rows of earlier versions. */
  language?: string;
}
