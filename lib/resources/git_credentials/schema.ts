import * as z from "zod";
import { evenIfFieldsFail, idField } from "../../base/fields.ts";
import {
  CREDENTIAL_TYPES,
  credentialSite,
  type CredentialType,
} from "../../execution/git/credential_site.ts";
import { isPlainHttp } from "../../execution/git/url.ts";

/** Maximum number of Git credentials in a project. */
export const CREDENTIALS_MAX = 100;

/** Body of an API request. Messages are locale keys, never sentences. */
export const gitCredentialBody = z.object({
  type: z.enum(CREDENTIAL_TYPES, "errors.unknown_type"),
  host: z.string("errors.required").trim().min(1, "errors.required").max(1000, "errors.too_long"),
  ssh_key_id: idField,
}).superRefine(({ type, host }: { type: unknown; host: unknown }, ctx) => {
  if (typeof host !== "string" || host === "" || !CREDENTIAL_TYPES.includes(type as never)) return;
  if (credentialSite(type as CredentialType, host)) return;
  ctx.addIssue({ code: "custom", path: ["host"], message: `errors.git_credentials.${type}` });
}, evenIfFieldsFail).meta({
  example: { type: "url", host: "https://git.example.com/shop", ssh_key_id: 2 },
});
export type GitCredentialForm = z.output<typeof gitCredentialBody>;

/** The form. Rejects an address that sends passwords in clear, unless it is the one in use. */
export const gitCredentialForm = (stored = "") =>
  gitCredentialBody
    .refine(({ host }) => host === stored || !isPlainHttp(host), {
      path: ["host"],
      error: "errors.git_credentials.url",
    })
    .transform((form) => ({ ...form, name: form.host }));

export const gitCredentialSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  /** "host" for an SSH host, "url" for an address or the beginning of one. */
  type: z.enum(CREDENTIAL_TYPES),
  host: z.string(),
  ssh_key_id: z.int(),
});
/** A Git credential as the API returns it. */
export type GitCredentialView = z.output<typeof gitCredentialSchema>;

/** A stored Git credential. */
export interface GitCredentialRow extends GitCredentialView {
  /** The same as `host`, for lists of what uses a key. */
  name: string;
}
