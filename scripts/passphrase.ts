import { ConfigError, type Environment } from "../lib/base/settings.ts";
import { askSecret } from "./ask_secret.ts";

const CHARACTERS_MIN = 8;

/**
 * Returns the passphrase of a backup from the environment, or asks for it, twice if it is a new
 * one.
 */
export async function readPassphrase(
  env: Environment,
  { isNew }: { isNew: boolean },
): Promise<string> {
  const passphrase = env.get("CALLBOARD_BACKUP_PASSPHRASE") || await ask(isNew);
  if (isNew && passphrase.length < CHARACTERS_MIN) {
    throw new ConfigError(`The passphrase must have at least ${CHARACTERS_MIN} characters`);
  }
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
