import { isShared, readConfig } from "../lib/base/settings/config.ts";
import { openData, requireStore } from "../lib/maintenance/open_data.ts";
import { lockDataFolder } from "../lib/base/machine/data_lock.ts";
import { ConfigError } from "../lib/base/settings/settings.ts";
import { compactStore, megabytes } from "../lib/store/file/store_file.ts";
import { say } from "./console.ts";
import { runScript } from "./run_script.ts";

/** Returns disk space that the store's file does not need, while no server runs. */
async function main(): Promise<void> {
  const config = readConfig(Deno.env, "");
  if (isShared(config)) {
    throw new ConfigError(
      "CALLBOARD_KV is the address of a service. Compact it with the tools of that service.",
    );
  }
  await openData(config);
  requireStore(config);
  using _lock = await lockDataFolder(config.dataDir, 0);
  say(`Compacting ${config.kv} …`);
  const { before, after } = await compactStore(config.kv);
  say(
    `Freed ${megabytes(before - after)}: ${megabytes(before)} before, ${megabytes(after)} now.`,
  );
}

if (import.meta.main) await runScript(main);
