import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Config, readConfig } from "../lib/base/config.ts";
import { operatorCommand } from "../lib/base/operator_command.ts";
import { readEnvironment } from "../lib/base/secret_settings.ts";
import { ConfigError } from "../lib/base/settings.ts";
import { goBack } from "../lib/maintenance/go_back.ts";
import { checkBackup } from "../lib/maintenance/server_backup/check.ts";
import { restoreServer } from "../lib/maintenance/server_backup/restore.ts";
import { say } from "./console.ts";
import { readPassphrase } from "./passphrase.ts";
import { runScript } from "./run_script.ts";

const COMMAND = operatorCommand("restore");
const USAGE = `Usage: ${COMMAND} --from FILE
       ${COMMAND} --check FILE
       ${COMMAND} --upgrade-copy FILE`;

/**
 * Restores a backup of a whole server into an empty data folder, checks a backup, or goes back to
 * the copy of the store from before an upgrade.
 */
async function main(args: string[]): Promise<void> {
  const file = { type: "string" } as const;
  const options = { from: file, check: file, "upgrade-copy": file };
  const { from, check, "upgrade-copy": copy } = parseArgs({ args, options }).values;
  if ([from, check, copy].filter(Boolean).length !== 1) throw new ConfigError(USAGE);
  const env = await readEnvironment();
  const config = readConfig(env, "");
  Deno.umask(0o077);
  if (copy) return await restoreCopy(config, pathOf(copy));
  const passphrase = await readPassphrase(env, { isNew: false });
  if (check) return await tellContents(passphrase, pathOf(check));
  const secretKeySetting = env.get("CALLBOARD_SECRET_KEY");
  await restoreServer({ config, secretKeySetting, passphrase, from: pathOf(from!) });
  say(`Restored into ${config.dataDir}. You can start the server now.`);
}

async function tellContents(passphrase: string, from: string): Promise<void> {
  const { rows, files, manifest } = await checkBackup({ passphrase, from });
  say(`${from} is complete and can be restored.`);
  if (manifest) {
    const { store, version, at } = manifest;
    say(`Callboard ${version} wrote it at ${at}, of the store ${store}.`);
  }
  say(
    `It contains the secret key, ${rows.toLocaleString("en")} rows of the database, and ` +
      `${files.toLocaleString("en")} other files.`,
  );
}

async function restoreCopy(config: Config, copy: string): Promise<void> {
  const { replaced, writer } = await goBack({ config, copy });
  const version = writer === null ? "the version of Callboard that" : `Callboard ${writer}, which`;
  say(`The store is now the copy ${copy}. Start ${version} wrote it.`);
  if (replaced) say(`The store from before is ${replaced}. Delete it when you no longer need it.`);
}

/** A Deno task runs in the project's folder. INIT_CWD is the folder of the person who called it. */
const pathOf = (file: string): string => resolve(Deno.env.get("INIT_CWD") ?? ".", file);

if (import.meta.main) await runScript(() => main(Deno.args));
