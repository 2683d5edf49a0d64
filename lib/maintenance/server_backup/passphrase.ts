import { ConfigError } from "../../base/settings/settings.ts";

const CHARACTERS_MIN = 8;

/** Throws for the passphrase of a new backup that is too short. */
export function requireStrongPassphrase(passphrase: string, name = "The passphrase"): void {
  if (passphrase.length >= CHARACTERS_MIN) return;
  throw new ConfigError(`${name} must have at least ${CHARACTERS_MIN} characters`);
}
