import { fileURLToPath } from "node:url";
import { type Config, isShared, readConfig } from "../lib/base/settings/config.ts";
import { openData } from "../lib/maintenance/open_data.ts";
import { isMuchFree } from "../lib/store/file/store_file.ts";
import { readIsolation } from "../lib/execution/process/prepare_isolation.ts";
import { runEnvironment } from "../lib/execution/run/environment.ts";
import { succeeds } from "./command.ts";
import { announce } from "./console.ts";
import { installPrograms } from "./install_programs.ts";
import { runScript } from "./run_script.ts";

/**
 * Compacting copies about 30 MB a second on a slow disk. If it is ended early, the file is
 * unchanged.
 */
const COMPACT_LIMIT_MS = 3_600_000;

/**
 * Opens the data folder, and installs git and Ansible if the server lacks them. Reports those that
 * are missing.
 */
export async function prepare(): Promise<void> {
  const config = readConfig(Deno.env, "");
  const mayInstall = Deno.env.get("CALLBOARD_INSTALL") !== "false";
  await openData(config);
  await compactWhereWorthwhile(config);
  const isolation = await readIsolation(config);
  const environment = runEnvironment(config, isolation, Deno.env);
  await installPrograms(environment, mayInstall);
}

/** Returns disk space that the store's file does not need, if there is much of it. */
async function compactWhereWorthwhile(config: Config): Promise<void> {
  if (isShared(config) || !isMuchFree(config.kv)) return;
  const script = fileURLToPath(new URL("./compact.ts", import.meta.url));
  const command = [Deno.execPath(), "run", "--quiet", "--cached-only", "--allow-all", script];
  if (!await succeeds(command, { limitMs: COMPACT_LIMIT_MS })) {
    announce("not_compacted", "The start continues without it.", "warn");
  }
}

if (import.meta.main) await runScript(prepare);
