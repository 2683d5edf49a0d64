import { credentialSite } from "../../execution/git/credential_site.ts";
import { requirePasswordKeys } from "../common/key_rules.ts";
import type { GitCredentialForm } from "./schema.ts";

/** Throws 400 for an SSH key of a site that is not reached by ssh. */
export function requireFittingKey({ type, host }: GitCredentialForm, key: unknown): void {
  if (credentialSite(type, host)?.scheme === "ssh") return;
  requirePasswordKeys(new Map([["ssh_key_id", key]]), ["ssh_key_id"]);
}
