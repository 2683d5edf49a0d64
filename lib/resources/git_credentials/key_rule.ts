import { credentialPlace } from "../../execution/git/credential_place.ts";
import { requirePasswordKeys } from "../common/key_rules.ts";
import type { GitCredentialForm } from "./schema.ts";

/** Throws 400 for an SSH key of a place that is not reached by ssh. */
export function requireFittingKey({ type, host }: GitCredentialForm, key: unknown): void {
  if (credentialPlace(type, host)?.scheme === "ssh") return;
  requirePasswordKeys(new Map([["ssh_key_id", key]]), ["ssh_key_id"]);
}
