import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { requireSameKey } from "../lib/access/same_key.ts";
import { boxOf, loadSecretKeys, type SecretKeys } from "../lib/access/secret_keys.ts";
import { type Config, readConfig } from "../lib/base/config.ts";
import { operatorCommand } from "../lib/base/operator_command.ts";
import { readEnvironment } from "../lib/base/secret_settings.ts";
import { ConfigError } from "../lib/base/settings.ts";
import { openDataFolder } from "../lib/base/data_folder.ts";
import { openStore } from "../lib/kv/open_store.ts";
import { backUpServer } from "../lib/maintenance/server_backup/back_up.ts";
import { say } from "./console.ts";
import { readPassphrase } from "./passphrase.ts";
import { runScript } from "./run_script.ts";

const USAGE = `Usage: ${operatorCommand("backup --to FILE")}`;

/** Writes all data of this server to one encrypted file. The server may be running. */
async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { to: { type: "string" } } });
  if (!values.to) throw new ConfigError(USAGE);
  // A Deno task runs in the project's folder. INIT_CWD is the folder of the person who called it.
  const to = resolve(Deno.env.get("INIT_CWD") ?? ".", values.to);
  const env = await readEnvironment();
  const config = readConfig(env, "");
  await openDataFolder(config);
  const secretKeys = await loadSecretKeys(env, config.dataDir);
  await requireKeyOfStore(config, secretKeys);
  const passphrase = await readPassphrase(env, { isNew: true });
  const bytes = await backUpServer({ config, secretKeys, passphrase, to });
  say(`Wrote ${to}, ${bytes.toLocaleString("en")} bytes.`);
  say("No one can read it without the passphrase. Keep the passphrase in another place.");
}

/** Refuses another key, because the backup could be opened, but none of the secrets in it. */
async function requireKeyOfStore({ kv: path }: Config, keys: SecretKeys): Promise<void> {
  if (URL.canParse(path)) return;
  using kv = await openStore(path);
  await requireSameKey(kv, await boxOf(keys));
}

if (import.meta.main) await runScript(() => main(Deno.args));
