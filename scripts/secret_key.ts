import { acceptKey, openSecretKeys } from "../lib/access/same_key.ts";
import {
  loadSecretKeys,
  newSecretKey,
  previousKeyFile,
  secretKeyFile,
} from "../lib/access/secret_keys.ts";
import { createSecretBox } from "../lib/access/secret_box.ts";
import { type Config, readConfig } from "../lib/base/settings/config.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import { readEnvironment } from "../lib/base/settings/secret_settings.ts";
import { ConfigError, type Environment } from "../lib/base/settings/settings.ts";
import { openData, requireStore } from "../lib/maintenance/open_data.ts";
import { replaceFile } from "../lib/base/machine/replace_file.ts";
import { openStore } from "../lib/store/file/open_store.ts";
import type { Store } from "../lib/store/store.ts";
import { pendingSteps } from "../lib/maintenance/migrations.ts";
import { readRotation } from "../lib/maintenance/secret_key/rotation.ts";
import { say } from "./console.ts";
import { runScript } from "./run_script.ts";

const COMMAND = operatorCommand("secret-key");

const USAGE = `Changes the key that encrypts the secrets of this server.

  ${COMMAND} rotate
  ${COMMAND} status
  ${COMMAND} accept

rotate creates a new key. After a restart, the server encrypts everything again while it runs.
status shows the progress, and whether the previous key is still needed.
accept lets the server continue with the current key after the previous one was lost.`;

type Command = (kv: Store, env: Environment, config: Config) => Promise<void>;

const COMMANDS: Record<string, Command> = {
  async rotate(kv, env, config) {
    if (env.get("CALLBOARD_SECRET_KEY")) {
      throw new ConfigError(
        "CALLBOARD_SECRET_KEY is set. Set CALLBOARD_SECRET_KEY_PREVIOUS to its value, set " +
          "CALLBOARD_SECRET_KEY to a new key (openssl rand -base64 32), and restart the server.",
      );
    }
    const { keys } = await openSecretKeys(kv, env, config.dataDir);
    if (keys.previous) {
      throw new ConfigError(`The key is already being changed. See: ${COMMAND} status`);
    }
    await replaceKey(config.dataDir);
    say("Created a new secret.key. The one before it is in secret.key.previous.");
    say("Restart the server now. It encrypts everything again while it runs, and then removes");
    say(`secret.key.previous. To see the progress: ${COMMAND} status`);
  },

  async status(kv) {
    const row = await readRotation(kv);
    if (!row) return say("The secret key of this store was never changed.");
    const { pass, rows, resealed, finished } = row;
    const count = (n: number) => n.toLocaleString("en");
    say(`Encrypted again: ${count(resealed)} rows.`);
    say(
      finished
        ? "Nothing in this store needs the previous key."
        : `The previous key is still needed. Pass ${pass} has read ${count(rows)} rows.`,
    );
  },

  async accept(kv, env, config) {
    const { current } = await loadSecretKeys(env, config.dataDir);
    await acceptKey(kv, await createSecretBox(current));
    say("Accepted the current secret key. Tasks that need a key or a secret value that was stored");
    say("with the old one fail with an error: enter these keys and values again.");
  },
};

/** Replaces the file of the key. If this is interrupted, it can be repeated. */
async function replaceKey(dataDir: string): Promise<void> {
  const file = secretKeyFile(dataDir);
  // Equal to the current key if an earlier attempt ended before the second file was replaced.
  await replaceFile(previousKeyFile(dataDir), await Deno.readTextFile(file));
  await replaceFile(file, newSecretKey() + "\n");
}

/** Changes the secret key, or lets the server continue after it was lost. */
async function main(args: string[]): Promise<void> {
  const command = args.length === 1 ? COMMANDS[args[0]] : undefined;
  if (!command) throw new ConfigError(USAGE);
  const env = await readEnvironment();
  const config = readConfig(env, "");
  await openData(config);
  requireStore(config);
  using kv = await openStore(config.kv);
  await pendingSteps(kv); // Refuses the store of a later version.
  await command(kv, env, config);
}

if (import.meta.main) await runScript(() => main(Deno.args));
