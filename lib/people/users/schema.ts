import * as z from "zod";
import { knownTimeZone } from "../../i18n/time_zone.ts";
import {
  evenIfFieldsFail,
  flagField,
  nameField,
  preservedField,
  requiredLineField,
} from "../../base/fields.ts";
import { OWN_EVENTS } from "../../model/account_row.ts";

const ONE_ADDRESS =
  // deno-lint-ignore no-control-regex -- they are excluded
  /^[^\s\x00-\x1f\x7f-\x9f"(),:;<>@[\\\]]+@[^\s\x00-\x1f\x7f-\x9f"(),:;<>@[\\\]]+$/;

/**
 * Whether a text is exactly one address, without a list, a name, a comment or a line break. Other
 * forms that a mail server would accept are not used here, and could be more than one address.
 */
export const isOneAddress = (text: string): boolean => ONE_ADDRESS.test(text);

/**
 * A new password, which may be any text but an empty one. Clients set passwords of their own. A
 * rule that refuses some of them would break those clients without making people choose better
 * ones.
 */
const newPassword = z.string("errors.required").min(1, "errors.required")
  .max(1024, "errors.too_long");

const email = requiredLineField(254);
const emailField = email.refine(isOneAddress, "errors.email");
/**
 * E-mail address from a client of the API. Other servers accept any text, but a text with an "@"
 * must be one address.
 */
const emailText = email.refine((text) => !text.includes("@") || isOneAddress(text), "errors.email");
const passwordField = z.string().max(1024, "errors.too_long").nullish()
  .transform((value) => value ?? "");

/**
 * Whether the account's API tokens end with its old password. By default they do if an admin sets
 * someone else's password, and stay if people change their own.
 */
const revokeTokens = z.boolean().nullish();

/** Required before one's own password or e-mail address is changed. */
const currentPassword = z.string().max(1024, "errors.too_long").nullish();

/**
 * Change of a user by a client of the API. An empty password keeps the old one, and a missing
 * `admin` keeps one's own.
 */
export const userChangeBody = z.object({
  name: nameField,
  username: requiredLineField(100),
  email: emailText,
  password: passwordField,
  admin: z.boolean().nullish(),
  alert: flagField,
  notify_own: preservedField(
    z.array(z.enum(OWN_EVENTS, "errors.unknown_type")).max(100, "errors.too_long")
      .transform((events) => [...new Set(events)]),
  ),
  revoke_tokens: revokeTokens,
  current_password: currentPassword,
}).meta({
  example: {
    name: "Nora Night",
    username: "nora",
    email: "nora@example.com",
    password: "",
    admin: false,
    alert: true,
  },
});
export type UserChangeForm = z.output<typeof userChangeBody>;

/** Change of a user as a person may type it. Messages are locale keys, never sentences. */
export const userChangeForm = userChangeBody.extend({ email: emailField });

/** The part of it that is about alerts and e-mails. */
export const notificationsForm = userChangeForm.pick({ alert: true, notify_own: true });

/** New user from a client of the API. Without a password, they cannot sign in until one is set. */
export const userBody = userChangeBody.omit({ revoke_tokens: true, current_password: true }).extend(
  {
    admin: flagField,
    external: flagField,
  },
).meta({
  example: {
    name: "Nora Night",
    username: "nora",
    email: "nora@example.com",
    password: "correct horse battery staple",
    admin: false,
    alert: true,
  },
});
export type UserForm = z.output<typeof userBody>;

/** New user as an admin may type it. A link sets the password if there is none. */
export const userFormWithoutPassword = userBody.extend({ email: emailField });

/** The same with a password. */
export const userForm = userFormWithoutPassword.refine(
  (form) => form.external || form.password !== "",
  {
    path: ["password"],
    error: "errors.required",
    ...evenIfFieldsFail,
  },
);

export const passwordForm = z.object({
  password: newPassword,
  revoke_tokens: revokeTokens,
  current_password: currentPassword,
}).meta({ example: { password: "a new one", current_password: "correct horse battery staple" } });
export type PasswordForm = z.output<typeof passwordForm>;

/** Password that a person sets without the old one, by a link. */
export const newPasswordForm = passwordForm.pick({ password: true });
export type NewPasswordForm = z.output<typeof newPasswordForm>;

export const userSchema = z.object({
  id: z.int(),
  created: z.iso.datetime(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  admin: z.boolean(),
  /** Whether they sign in only through a provider, and have no password here. */
  external: z.boolean(),
  /** Whether they want e-mails about failed tasks. */
  alert: z.boolean(),
  /** Events of their own tasks that they want e-mails about. */
  notify_own: z.array(z.enum(OWN_EVENTS)),
});
/** A user as the API answers it. */
export type UserView = z.output<typeof userSchema>;

export const currentUserSchema = userSchema.extend({ can_create_project: z.boolean() });
export type CurrentUserView = z.output<typeof currentUserSchema>;

/** A user in lists. People who may not manage users get only the names. */
export const listedUserSchema = userSchema.partial().required({
  id: true,
  username: true,
  name: true,
});
export type ListedUser = z.output<typeof listedUserSchema>;

/** Time zone of the times on pages: one of the tz database, or "" for the browser's. */
export const timezoneForm = z.object({
  timezone: z.string().refine(
    (name) => name === "" || knownTimeZone(name) !== null,
    "errors.invalid",
  ),
});
export type TimezoneForm = z.output<typeof timezoneForm>;
