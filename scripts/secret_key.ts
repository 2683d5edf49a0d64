import { acceptKey } from "../lib/access/same_key.ts";
import { createSecretBox, loadSecretKey } from "../lib/access/secret_box.ts";
import { readConfig } from "../lib/base/config.ts";
import { operatorCommand } from "../lib/base/operator_command.ts";
import { readEnvironment } from "../lib/base/secret_settings.ts";
import { ConfigError } from "../lib/base/settings.ts";
import { openDataFolder } from "../lib/base/data_folder.ts";
import { openStore } from "../lib/kv/open_store.ts";
import { say } from "./console.ts";
import { runScript } from "./run_script.ts";

const USAGE = `Usage: ${operatorCommand("secret-key accept")}`;

/** Lets the server continue with the current secret key, after the old one was lost. */
async function main(args: string[]): Promise<void> {
  if (args.join(" ") !== "accept") throw new ConfigError(USAGE);
  const env = await readEnvironment();
  const config = readConfig(env, "");
  await openDataFolder(config);
  const key = await loadSecretKey(env.get("CALLBOARD_SECRET_KEY"), config.dataDir);
  using kv = await openStore(config.kv);
  await acceptKey(kv, await createSecretBox(key));
  say(
    "Accepted the current secret key. Tasks that need a key or a secret value that was stored with",
  );
  say("the old one fail with an error: enter these keys and values again.");
}

if (import.meta.main) await runScript(() => main(Deno.args));
