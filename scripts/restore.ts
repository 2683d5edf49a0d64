import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "../lib/base/config.ts";
import { readEnvironment } from "../lib/base/secret_settings.ts";
import { ConfigError } from "../lib/base/settings.ts";
import { restoreServer } from "../lib/maintenance/server_backup/restore.ts";
import { say } from "./console.ts";
import { readPassphrase } from "./passphrase.ts";
import { runScript } from "./run_script.ts";

const USAGE = "Usage: deno task restore --from FILE";

/** Restores a backup of a whole server into an empty data folder. */
async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { from: { type: "string" } } });
  if (!values.from) throw new ConfigError(USAGE);
  // A Deno task runs in the project's folder. INIT_CWD is the folder of the person who called it.
  const from = resolve(Deno.env.get("INIT_CWD") ?? ".", values.from);
  const env = await readEnvironment();
  const config = readConfig(env, "");
  Deno.umask(0o077);
  const passphrase = await readPassphrase(env, { isNew: false });
  const secretKeySetting = env.get("CALLBOARD_SECRET_KEY");
  await restoreServer({ config, secretKeySetting, passphrase, from });
  say(`Restored into ${config.dataDir}. Start the server with: deno task start`);
}

if (import.meta.main) await runScript(() => main(Deno.args));
