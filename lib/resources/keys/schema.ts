import * as z from "zod";
import { hasControl } from "../../base/text/control.ts";
import {
  byteLength,
  flagField,
  nameField,
  optionalIdField,
  preservedField,
} from "../../base/fields.ts";
import { CERTIFICATE_MAX, parseCertificate } from "../../execution/ssh/certificate.ts";
import {
  type SecretSource,
  type Signer,
  signerField,
  signerView,
  type SourceForm,
  sourceForm,
  sourceSchema,
} from "../secret_storages/schema.ts";
import { privateKeyProblem } from "./private_key.ts";
import { type SshOptions, sshOptionsField, sshOptionsView } from "./ssh_options.ts";

/** A `string` is a secret text, such as a token: a password without a login. */
export const KEY_TYPES = ["ssh", "login_password", "string", "none"] as const;
type KeyType = (typeof KEY_TYPES)[number];

/** Whether a key has a password, or is one. */
export const isPassword = ({ type }: { type: KeyType }): boolean =>
  type === "login_password" || type === "string";

/** Characters of a private key with a long chain. A longer text is not a key. */
const PRIVATE_KEY_MAX = 32_768;
/** KV takes 64 KiB per value. Letters that JSON writes with six characters could exceed it. */
const SECRET_BYTES_MAX = 56 * 1024;

const text = (max: number) =>
  z.string().max(max, "errors.too_long").nullish().transform((value) => value ?? "");
/** Becomes an argument of Ansible, and a line of an answer to git. */
const login = text(500).refine((name) => !hasControl(name), "errors.control_characters");
/**
 * A password beside a login is a line of what git and Ansible read. The line break that was copied
 * with it is dropped. A secret text may have several lines.
 */
const password = text(4096).transform((secret) => secret.replace(/(?<![\r\n])[\r\n]+$/, ""))
  .refine((secret) => !/[\r\n\0]/.test(secret), "errors.line_breaks");
/** Fields of a private key, or of a pair that the server creates. */
export const keyPairFields = {
  ssh: z.object({ login, passphrase: text(4096), private_key: text(PRIVATE_KEY_MAX) })
    .nullish(),
  /** Creates a key of type ssh. Only the login of `ssh` is used. */
  generate: flagField,
};
const secretFields = {
  login_password: z.object({ login, password }).nullish(),
  string: text(4096),
  ...keyPairFields,
  /** The place of the secrets, in place of their values. */
  source: sourceForm.nullish(),
  /** Names of newer clients for the members of `source`. */
  source_storage_id: optionalIdField,
  source_storage_key: text(1_000),
  source_storage_type: text(50),
};

/** A line as `ssh-keygen -s` writes it. An empty text removes the certificate. */
export const certificateField = preservedField(
  z.string().trim().max(CERTIFICATE_MAX, "errors.too_long").superRefine((line, ctx) => {
    const kind = hasControl(line) ? undefined : parseCertificate(line)?.kind;
    if (line === "" || kind === "user") return;
    const problem = kind ? "host_certificate" : "no_certificate";
    ctx.addIssue({ code: "custom", message: `errors.keys.${problem}` });
  }),
);

/** The form of a new key. Messages are locale keys, never sentences. */
export const keyForm = z.object({
  name: nameField,
  type: z.enum(KEY_TYPES, "errors.unknown_type"),
  certificate: certificateField,
  certificate_source: signerField,
  ssh_options: sshOptionsField,
  ...secretFields,
}).superRefine(requireSecrets).meta({
  example: {
    name: "Deploy key",
    type: "ssh",
    ssh: { login: "deploy", passphrase: "", private_key: "-----BEGIN OPENSSH PRIVATE KEY-----\n…" },
  },
});
export type KeyForm = z.output<typeof keyForm>;

/** The form of an existing key. Its type and secrets change only with `override_secret`. */
export const keyChangeForm = z.object({
  name: nameField,
  type: z.enum(KEY_TYPES, "errors.unknown_type").nullish(),
  override_secret: flagField,
  certificate: certificateField,
  certificate_source: signerField,
  ssh_options: sshOptionsField,
  ...secretFields,
}).superRefine((form, ctx) => {
  if (form.override_secret) requireSecrets(form, ctx);
}).meta({ example: { name: "Old deploy key" } });
export type KeyChangeForm = z.output<typeof keyChangeForm>;

/** Returns the source that a form names, by its own member or by those of newer clients. */
export function sourceIn(
  { source, ...others }: Pick<
    KeyForm,
    "source" | "source_storage_id" | "source_storage_key" | "source_storage_type"
  >,
): SourceForm | null {
  if (source) return source;
  const { source_storage_id: id, source_storage_key: path, source_storage_type: type } = others;
  return path ? { storage_id: id, type, path, field: "" } : null;
}

function requireSecrets(
  form: Omit<KeyChangeForm, "name" | "override_secret" | "certificate" | "certificate_source">,
  ctx: z.RefinementCtx,
) {
  const { type, login_password, string } = form;
  const wrong = (path: string[], message: string) =>
    ctx.addIssue({ code: "custom", path, message });
  if (!type) wrong(["type"], "errors.required");
  if (sourceIn(form)) return;
  if (type === "login_password" && !login_password?.password) {
    wrong(["login_password", "password"], "errors.required");
  }
  if (type === "string" && !string) wrong(["string"], "errors.required");
  if (type === "ssh") requirePrivateKey(form, ctx);
}

/** Adds issues unless the form has a private key that tasks can use, or asks for a new one. */
export function requirePrivateKey(
  { ssh, generate }: Pick<KeyChangeForm, "ssh" | "generate">,
  ctx: z.RefinementCtx,
) {
  const wrong = (path: string[], message: string) =>
    ctx.addIssue({ code: "custom", path, message });
  if (generate) return;
  if (!ssh?.private_key.trim()) return wrong(["ssh", "private_key"], "errors.required");
  if (byteLength(JSON.stringify(ssh)) > SECRET_BYTES_MAX) {
    return wrong(["ssh", "private_key"], "errors.keys.secret_too_large");
  }
  const problem = privateKeyProblem(ssh.private_key, ssh.passphrase);
  if (problem) wrong(["ssh", problem.field], problem.key);
}

export const keySchema = z.object({
  id: z.int(),
  name: z.string(),
  type: z.enum(KEY_TYPES),
  project_id: z.int(),
  /** Always blank, because secrets are never returned. */
  login_password: z.object({ login: z.string(), password: z.string() }),
  ssh: z.object({ login: z.string(), passphrase: z.string(), private_key: z.string() }),
  /** The public half as a line of `authorized_keys`; null if it is unknown. */
  public_key: z.string().nullable(),
  /** Certificate of the public half, or "". */
  certificate: z.string(),
  /** Null if it never expires, or if there is none. */
  certificate_expires: z.iso.datetime().nullable(),
  /** The place that signs a certificate for each run; null for none. */
  certificate_source: signerView,
  ssh_options: sshOptionsView,
  string: z.string(),
  override_secret: z.boolean(),
  /** The key came from a backup, and its secret must still be typed in. */
  empty: z.boolean(),
  /** The place of its secrets; null if they are stored here. */
  source: sourceSchema.nullable(),
  source_storage_id: z.int().nullable(),
  source_storage_key: z.string().nullable(),
  source_storage_type: z.string().nullable(),
});
/** A key as the API returns it. */
export type KeyView = z.output<typeof keySchema>;

/** A stored key. */
export interface KeyRow {
  id: number;
  project_id: number;
  name: string;
  type: KeyType;
  /** The sealed JSON of a `Secret`; null if nothing was typed in yet, or nothing is needed. */
  secret: Uint8Array | null;
  /** The public half as the API returns it; missing if it is unknown. */
  public_key?: string;
  certificate?: string;
  /** Whether an alert has reported that the certificate expires. */
  certificate_reported?: boolean;
  /** The place that signs a certificate for each run. */
  certificate_source?: Signer;
  ssh_options?: SshOptions;
  /** The place of its secrets. Then `secret` is null. */
  source?: SecretSource;
}
