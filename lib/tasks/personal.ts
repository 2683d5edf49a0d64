import * as z from "zod";
import { hasControl } from "../base/text/control.ts";
import { preservedFlag } from "../base/fields.ts";
import type { AskedPassword, PersonalPart } from "../model/task_row.ts";
import type { Asking } from "../model/template_row.ts";

const ASKED_PASSWORDS = ["ssh", "become", "vault"] as const satisfies readonly AskedPassword[];

/** Secrets that a task gets from the person who starts it, and from no one else. */
export interface Personal {
  /** Whether it signs in on hosts with an SSH key of that person. */
  ownKey: boolean;
  passwords: AskedPassword[];
}

export const ASKING = [
  "own_key",
  "ask_ssh_password",
  "ask_become_password",
  "ask_vault_password",
] as const satisfies readonly (keyof Asking)[];

/** Returns what a template asks for: as it was sent, or else as it is stored. */
export const askingOf = (
  sent: { [Name in keyof Asking]?: boolean | null },
  stored: Partial<Asking> = {},
): Asking =>
  Object.fromEntries(
    ASKING.map((name) => [name, sent[name] ?? stored[name] ?? false]),
  ) as unknown as Asking;

/** The same in the form of a template, and in its view. */
export const askingFields = {
  /** Whether tasks sign in on hosts with an SSH key of their starter. */
  own_key: preservedFlag,
  /** Passwords that each task asks its starter for. */
  ask_ssh_password: preservedFlag,
  ask_become_password: preservedFlag,
  ask_vault_password: preservedFlag,
};
export const askingView = {
  own_key: z.boolean(),
  ask_ssh_password: z.boolean(),
  ask_become_password: z.boolean(),
  ask_vault_password: z.boolean(),
};

/** Returns what the tasks of a template get from their starter, with this inventory. */
export const personalOf = (
  template: Asking,
  inventory: Partial<Pick<Asking, "own_key">> | null | undefined,
): Personal => ({
  ownKey: Boolean(template.own_key || inventory?.own_key),
  passwords: ASKED_PASSWORDS.filter((name) => template[`ask_${name}_password`]),
});

/** Whether only people can start such a task. */
export const needsPerson = ({ ownKey, passwords }: Personal): boolean =>
  ownKey || passwords.length > 0;

/** Returns the locale key of the sentence that says why only people can start such a task. */
export const unattendedKey = ({ ownKey }: Personal): string =>
  ownKey ? "errors.personal.key_unattended" : "errors.personal.password_unattended";

/** Whether a task uses a key or passwords of its starter. */
export const isPersonal = ({ own_key_id, asked_passwords = [] }: PersonalPart): boolean =>
  own_key_id !== undefined || asked_passwords.length > 0;

const PASSWORD_MAX = 4096;
const passwordField = z.string().max(PASSWORD_MAX, "errors.too_long")
  .refine((text) => !hasControl(text), "errors.control_characters").nullish()
  .transform((text) => text ?? "");

/** Fields of a request for such a task. Passwords exist for that task only. */
export const personalFields = {
  own_key_id: z.int().min(0).nullish().transform((id) => id || null),
  ssh_password: passwordField,
  become_password: passwordField,
  vault_password: passwordField,
};
export type PersonalForm = z.output<z.ZodObject<typeof personalFields>>;
