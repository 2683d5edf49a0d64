import * as z from "zod";
import { hasControl } from "../base/text/control.ts";
import { optionalIdField } from "../base/fields.ts";
import type { Vault } from "../model/template_row.ts";
import { chooseItems } from "./choose_items.ts";

/** Maximum number of vaults per template. */
export const VAULTS_MAX = 20;

/**
 * One vault password of a template in a request. Without a type and a key it is only a name. Newer
 * servers store that, too, and the Terraform providers send it.
 */
export const vault = z.object({
  type: z.enum(["password", ""], "errors.templates.vault_script").nullish(),
  vault_key_id: optionalIdField,
  /** Ansible's label of the vault id; null for "default". */
  name: z.string().trim().max(100, "errors.too_long")
    .regex(/^[^@\s,]*$/, "errors.templates.vault_name")
    .refine((name) => !hasControl(name), "errors.control_characters").nullish()
    .transform((value) => value || null),
}).refine(({ type, vault_key_id }) => !type || vault_key_id !== null, {
  path: ["vault_key_id"],
  error: "errors.required",
}).transform(({ vault_key_id, name }): Vault => ({ vault_key_id, name }));

export const vaultView = z.object({
  id: z.int(),
  project_id: z.int(),
  template_id: z.int(),
  vault_key_id: z.int().nullable(),
  name: z.string().nullable(),
  /** Empty for a vault without a key. */
  type: z.enum(["password", ""]),
});

interface Sent {
  vaults?: Vault[] | null;
  vault_key_id?: number | null;
}

/**
 * The vault passwords that a client means: the whole list, or only the first for `vault_key_id`.
 */
export function chooseVaults({ vaults, vault_key_id }: Sent, stored: Vault[]): Vault[] {
  const [known] = stored;
  const first = () => {
    if (vault_key_id) return { vault_key_id, name: known?.name ?? null };
    // To an older client, a vault without a key looks like no vault.
    return known?.vault_key_id === null ? known : null;
  };
  return chooseItems(
    { list: vaults, first: vault_key_id === undefined ? undefined : first() },
    stored,
    (a, b) => a.vault_key_id === b.vault_key_id && a.name === b.name,
  );
}
