import * as z from "zod";
import { requiredLineField } from "../../base/fields.ts";
import { parsePublicKey } from "../../execution/ssh/public_key.ts";

/** One of the patterns of sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT", without hashed names. */
const PATTERNS = /^!?[\w.:*?[\]-]+(,!?[\w.:*?[\]-]+)*$/;

export const hostAuthorityForm = z.object({
  /** Patterns of the names of hosts, separated by commas. */
  hosts: requiredLineField(500).transform((text) => text.split(/[\s,]+/).filter(Boolean).join(","))
    .refine((text) => PATTERNS.test(text), "errors.host_authorities.hosts"),
  /** Public half of the key that signs those of hosts, as in its `.pub` file. */
  public_key: requiredLineField(5_000)
    .refine((line) => parsePublicKey(line) !== null, "errors.host_authorities.public_key"),
}).meta({
  example: {
    hosts: "*.example.com,10.0.*",
    public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL7+1+Xa1s/KZTSdEXZLkG0qGKpZ8A2AqDMxDDckFkYl",
  },
});
export type HostAuthorityForm = z.output<typeof hostAuthorityForm>;

export const hostAuthoritySchema = z.object({
  id: z.int(),
  hosts: z.string(),
  /** "type base64", without a comment. */
  public_key: z.string(),
  /** Format of `ssh-keygen -l`. */
  fingerprint: z.string(),
});
/** An authority that signs the keys of hosts, as the API returns it. */
export type HostAuthority = z.output<typeof hostAuthoritySchema>;

/** They are in the row of their project, which every run reads. */
export const HOST_AUTHORITIES_MAX = 20;
