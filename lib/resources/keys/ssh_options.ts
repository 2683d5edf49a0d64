import * as z from "zod";
import { hasControl } from "../../base/text/control.ts";
import { optionalIdField, preservedField } from "../../base/fields.ts";

const portField = z.int("errors.integer").min(0, "errors.invalid").max(65_535, "errors.invalid")
  .nullish().transform((port) => port || undefined);

/** A word that ssh cannot take for an option. */
const wordField = (max: number) =>
  z.string().trim().max(max, "errors.too_long")
    .refine((text) => !/^-|\s/.test(text) && !hasControl(text), "errors.keys.ssh_word")
    .nullish().transform((text) => text || undefined);

const jumpFields = z.object({
  host: wordField(255),
  port: portField,
  user: wordField(100),
  key_id: optionalIdField.transform((id) => id ?? undefined),
});

/** Way to the hosts of a key. Variables of the hosts win. */
export interface SshOptions {
  user?: string;
  port?: number;
  jump?: {
    host: string;
    port?: number;
    user?: string;
    /** Offered to the jump host instead of the key itself. */
    key_id?: number;
  };
}

/** Null, or options without any value, for none. */
export const sshOptionsField = preservedField(z.object({
  user: wordField(100),
  port: portField,
  jump: jumpFields.nullish(),
})).transform((sent): SshOptions | null | undefined => {
  if (!sent) return sent;
  const { user, port, jump } = sent;
  const options = {
    ...user && { user },
    ...port && { port },
    ...jump?.host && { jump: withoutMissing({ ...jump, host: jump.host }) },
  };
  return Object.keys(options).length > 0 ? options : null;
});

const withoutMissing = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

/** The options as the API returns them. */
export const sshOptionsView = z.object({
  user: z.string().optional(),
  port: z.int().optional(),
  jump: z.object({
    host: z.string(),
    port: z.int().optional(),
    user: z.string().optional(),
    key_id: z.int().optional(),
  }).optional(),
}).nullable();

/** Returns a key with its options after a change. A missing `sent` keeps the stored ones. */
export function withSshOptions<Key extends { id?: number; type: string }>(
  key: Key,
  sent: SshOptions | null | undefined,
  stored?: SshOptions,
): Key & { ssh_options?: SshOptions } {
  const options = sent === undefined ? stored : sent ?? undefined;
  if (key.type !== "ssh" || !options) return { ...key, ssh_options: undefined };
  const { jump, ...others } = options;
  if (!jump || jump.key_id !== key.id) return { ...key, ssh_options: options };
  // The key itself is offered anyway, and must not prevent its own deletion.
  const { key_id: _, ...rest } = jump;
  return { ...key, ssh_options: { ...others, jump: rest } };
}

/** The jump host's key as a reference, by the form's field. */
export const jumpKeyTarget = ({ ssh_options }: { ssh_options?: SshOptions }) => ({
  "ssh_options.jump.key_id": ssh_options?.jump?.key_id
    ? ["keys", ssh_options.jump.key_id] as const
    : null,
});
