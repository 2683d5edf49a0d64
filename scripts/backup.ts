import { resolve } from "node:path";
import { parseArgs } from "node:util";
import denoJson from "../deno.json" with { type: "json" };
import { openSecretKeys } from "../lib/access/same_key.ts";
import { type Config, readConfig } from "../lib/base/settings/config.ts";
import { programVersion } from "../lib/base/machine/program_version.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import { readEnvironment } from "../lib/base/settings/secret_settings.ts";
import { ConfigError, type Environment } from "../lib/base/settings/settings.ts";
import { openData, requireStore } from "../lib/maintenance/open_data.ts";
import { databaseFile } from "../lib/maintenance/server_backup/contents.ts";
import { identifyStore } from "../lib/maintenance/store_identity.ts";
import { openStore } from "../lib/store/file/open_store.ts";
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
  const config = readConfig(env, programVersion(denoJson.version));
  databaseFile(config.kv);
  await openData(config);
  requireStore(config);
  const { secretKeys, store } = await readStore(env, config);
  const passphrase = await readPassphrase(env, { isNew: true });
  const bytes = await backUpServer({ config, store, secretKeys, passphrase, to });
  say(`Wrote ${to}, ${bytes.toLocaleString("en")} bytes.`);
  say("No one can read it without the passphrase. Keep the passphrase in another place.");
}

/** Refuses another key, because the backup could be opened, but none of the secrets in it. */
async function readStore(env: Environment, config: Config) {
  using kv = await openStore(config.kv);
  const { keys: secretKeys } = await openSecretKeys(kv, env, config.dataDir);
  const clock = { now: () => new Date() };
  return { secretKeys, store: await identifyStore({ kv, clock, config }) };
}

if (import.meta.main) await runScript(() => main(Deno.args));
