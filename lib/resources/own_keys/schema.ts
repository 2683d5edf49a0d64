import * as z from "zod";
import { nameField } from "../../base/fields.ts";
import { keyPairFields, requirePrivateKey } from "../keys/schema.ts";

/**
 * Whether a login is a plain name. Ansible evaluates templates in a login, and people who may
 * only run tasks have own keys.
 */
const isPlainLogin = (login: string): boolean => /^(?!-)[^\s{}"']*$/.test(login);

const fields = z.object({ name: nameField, ...keyPairFields }).superRefine(({ ssh }, ctx) => {
  if (isPlainLogin(ssh?.login ?? "")) return;
  ctx.addIssue({ code: "custom", path: ["ssh", "login"], message: "errors.own_keys.login" });
});
const asStored = (form: z.output<typeof fields>) => ({ ...form, type: "ssh" as const });

/** The form of a new key. Messages are locale keys. */
export const ownKeyForm = fields.superRefine(requirePrivateKey).transform(asStored).meta({
  example: {
    name: "Laptop",
    ssh: { login: "deploy", passphrase: "", private_key: "-----BEGIN OPENSSH PRIVATE KEY-----\n…" },
  },
});
export type OwnKeyForm = z.output<typeof ownKeyForm>;

/** The form of an existing key. A new private key replaces the stored one. */
export const ownKeyChangeForm = fields.superRefine((form, ctx) => {
  if (replacesPrivateKey(form)) requirePrivateKey(form, ctx);
}).transform(asStored).meta({ example: { name: "Laptop", ssh: { login: "anna" } } });

/** Whether a form has a new private key. */
export const replacesPrivateKey = ({ ssh, generate }: Pick<OwnKeyForm, "ssh" | "generate">) =>
  generate || Boolean(ssh?.private_key.trim());

export const ownKeySchema = z.object({
  id: z.int(),
  name: z.string(),
  /** Always blank except for the login, because secrets are never returned. */
  ssh: z.object({ login: z.string(), passphrase: z.string(), private_key: z.string() }),
  /** The public half as a line of `authorized_keys`; null if it is unknown. */
  public_key: z.string().nullable(),
  created: z.iso.datetime(),
});
/** A person's own key as the API returns it. */
export type OwnKeyView = z.output<typeof ownKeySchema>;

/** A stored key of a person. */
export interface OwnKeyRow {
  id: number;
  user_id: number;
  name: string;
  login: string;
  /** The sealed JSON of a `PlanKey`. */
  secret: Uint8Array;
  /** The public half as the API returns it; missing if it is unknown. */
  public_key?: string;
  created: string;
}
