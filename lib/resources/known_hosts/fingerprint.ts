import { createHash } from "node:crypto";

/** Returns the fingerprint of a public key in base64, in the format of `ssh-keygen -l`. */
export function fingerprintOf(key: string): string {
  const digest = createHash("sha256").update(key, "base64").digest("base64");
  return `SHA256:${digest.replace(/(?<!=)=+$/, "")}`;
}
