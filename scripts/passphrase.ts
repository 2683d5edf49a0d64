import { ConfigError, type Environment } from "../lib/base/settings/settings.ts";
import { requireStrongPassphrase } from "../lib/maintenance/server_backup/passphrase.ts";
import { askSecret } from "./ask_secret.ts";

/**
 * Returns the passphrase of a backup from the environment, or asks for it, twice if it is a new
 * one.
 */
export async function readPassphrase(
  env: Environment,
  { isNew }: { isNew: boolean },
): Promise<string> {
  const passphrase = env.get("CALLBOARD_BACKUP_PASSPHRASE") || await ask(isNew);
  if (isNew) requireStrongPassphrase(passphrase);
  return passphrase;
}

async function ask(isNew: boolean): Promise<string> {
  if (!Deno.stdin.isTerminal()) {
    throw new ConfigError("Set CALLBOARD_BACKUP_PASSPHRASE: there is no terminal to ask for it");
  }
  const passphrase = await askSecret("Passphrase: ");
  if (isNew && await askSecret("Again: ") !== passphrase) {
    throw new ConfigError("The two passphrases differ");
  }
  return passphrase;
}
