import { z } from "zod";
import { hasControl } from "../base/control.ts";
import { idField } from "../base/fields.ts";

/** Of one template. */
export const VAULTS_MAX = 20;

/** One vault password of a template, as it is sent. */
export const vault = z.object({
  type: z.enum(["password", ""], "errors.templates.vault_script").nullish(),
  vault_key_id: idField,
  /** Ansible's label of the vault id; null for "default". */
  name: z.string().trim().max(100, "errors.too_long")
    .regex(/^[^@\s,]*$/, "errors.templates.vault_name")
    .refine((name) => !hasControl(name), "errors.control_characters").nullish()
    .transform((value) => value || null),
}).transform(({ vault_key_id, name }) => ({ vault_key_id, name }));
export type Vault = z.output<typeof vault>;

export const vaultView = z.object({
  id: z.int(),
  project_id: z.int(),
  template_id: z.int(),
  vault_key_id: z.int(),
  name: z.string().nullable(),
  type: z.literal("password"),
});
