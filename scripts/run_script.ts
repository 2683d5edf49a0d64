import { readConfig } from "../lib/base/settings/config.ts";
import { Ended } from "../lib/base/errors.ts";
import { explainStore, saysDamaged } from "../lib/base/explain_store.ts";
import { ConfigError } from "../lib/base/settings/settings.ts";
import {
  type ConfigFile,
  isOpenToOthers,
  loadConfigFile,
} from "../lib/base/settings/config_file.ts";
import { requireKnownSettings } from "../lib/base/settings/known_settings.ts";
import { describeError, stderrLog } from "../lib/base/log.ts";
import { announce, refuse } from "./console.ts";

/**
 * Runs a script for a person. Prints an error that they can fix as a sentence and exits with code
 * 1.
 */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await checkSettings();
    await main();
  } catch (error) {
    if (isForPeople(error)) refuse(error.message);
    else if (saysDamaged(error)) refuse(explainDamage(error));
    else stderrLog("error", "ended", describeError(error));
    Deno.exit(error instanceof Ended ? 0 : 1);
  }
}

const isForPeople = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof Ended || isUsage(error);

/** Returns the sentence for damage that was found in a store which could be opened. */
export function explainDamage(error: unknown): string {
  const { kv } = readConfig(Deno.env, "");
  return explainStore(kv, error).message;
}

/** Whether `parseArgs` does not know an option or an argument, which its message names. */
const isUsage = (error: unknown): error is TypeError =>
  error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

/**
 * Reads the settings file, and throws for a mistyped variable. The server itself may read only the
 * variables that it knows. Its setup may read all of them, and has checked them before.
 */
export async function checkSettings(): Promise<void> {
  const file = await loadConfigFile();
  const { state } = await Deno.permissions.query({ name: "env" });
  const names = state === "granted" ? Object.keys(Deno.env.toObject()) : file?.lines.keys() ?? [];
  requireKnownSettings([...names], file);
  if (file) await warnOf(file);
}

async function warnOf(file: ConfigFile): Promise<void> {
  for (const { line, why } of file.odd) {
    announce("settings_file", `${file.path}, line ${line}: ${why}.`, "warn");
  }
  if (await isOpenToOthers(file)) {
    announce(
      "settings_file",
      `${file.path} has secrets, and every account of this machine can read it. ` +
        `Close it: chmod o= ${file.path}`,
      "warn",
    );
  }
}
