import { Cron } from "croner";
import { join } from "node:path";
import { type Config, isShared } from "../../base/config.ts";
import { explain } from "../../base/data_folder.ts";
import { lockForServer } from "../../base/data_lock.ts";
import { ConfigError, type Environment, readInteger } from "../../base/settings.ts";
import type { BackUpOptions } from "./back_up.ts";
import { requireStrongPassphrase } from "./passphrase.ts";

/** When and where a server backs itself up. */
export interface AutomaticBackups extends Pick<BackUpOptions, "workFactor"> {
  /** Times in the time zone of the server. */
  cron: Cron;
  folder: string;
  /** Number of backups that are kept. */
  keep: number;
  passphrase: string;
}

const [AT, TO, KEEP] = ["CALLBOARD_BACKUP_AT", "CALLBOARD_BACKUP_TO", "CALLBOARD_BACKUP_KEEP"];
const PASSPHRASE = "CALLBOARD_BACKUP_PASSPHRASE";

type Places = Pick<Config, "kv" | "backupFolder">;

/** Returns null if no automatic backups are configured. Throws ConfigError if they cannot work. */
export async function readAutomaticBackups(
  env: Environment,
  config: Places,
): Promise<AutomaticBackups | null> {
  const backups = parseAutomaticBackups(env, config);
  if (backups) await openFolder(backups.folder);
  return backups;
}

/** Returns the same, but does not create the folder. */
export function parseAutomaticBackups(env: Environment, config: Places): AutomaticBackups | null {
  const [at, passphrase] = [env.get(AT), env.get(PASSPHRASE)];
  const { backupFolder: folder } = config;
  const keep = readInteger(env, KEEP, 7, 10_000);
  if (!at && !folder) return null;
  if (!at || !folder) throw new ConfigError(`${AT} and ${TO} require each other`);
  if (!passphrase) throw new ConfigError(`${AT} requires ${PASSPHRASE}, or a file with it`);
  if (keep === 0) throw new ConfigError(`${KEEP} must be at least 1`);
  requireStrongPassphrase(passphrase, PASSPHRASE);
  if (isShared(config)) {
    throw new ConfigError(
      `${AT} cannot be used if CALLBOARD_KV is the address of a service. ` +
        "Back it up with its own tools",
    );
  }
  return { cron: readCron(at), folder, keep, passphrase };
}

async function openFolder(folder: string): Promise<void> {
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    await Deno.remove(await Deno.makeTempFile({ dir: folder, prefix: "callboard_probe_" }));
  } catch (error) {
    throw new ConfigError(`The folder of ${TO}, ${folder}, cannot be used: ${explain(error)}`, {
      cause: error,
    });
  }
}

/**
 * Refuses a folder that another running server uses. The two would overwrite and remove each
 * other's backups.
 */
export const lockBackupFolder = (folder: string, waitMs?: number): Promise<Deno.FsFile> =>
  lockForServer(
    join(folder, "callboard.lock"),
    `Another Callboard already uses the folder of ${TO}, ${folder}. Give each server its own`,
    waitMs,
  );

function readCron(text: string): Cron {
  try {
    const cron = new Cron(text, { mode: "5-part", fixedTimeRule: "no-wildcard" });
    if (cron.nextRun()) return cron;
  } catch {
    // The sentence below says what is expected.
  }
  throw new ConfigError(`${AT} must be five fields of cron, such as "0 3 * * *", not "${text}"`);
}
