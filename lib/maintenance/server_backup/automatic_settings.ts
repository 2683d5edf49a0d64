import { Cron } from "croner";
import { join } from "node:path";
import { type Config, isShared } from "../../base/settings/config.ts";
import { explain } from "../../base/machine/data_folder.ts";
import { lockForServer } from "../../base/machine/data_lock.ts";
import { ConfigError, type Environment, readInteger } from "../../base/settings/settings.ts";
import { readBucket } from "./bucket_settings.ts";
import type { BackupCommand } from "./command.ts";
import type { Bucket } from "./s3.ts";
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
  /** Where backups are copied to; null for nowhere. */
  bucket: Bucket | null;
  /** The command that runs after each backup; null for none. */
  command: BackupCommand | null;
  /** Times at which the latest backup is tested; null for never. */
  testCron: Cron | null;
}

const [AT, TO, KEEP] = ["CALLBOARD_BACKUP_AT", "CALLBOARD_BACKUP_TO", "CALLBOARD_BACKUP_KEEP"];
const PASSPHRASE = "CALLBOARD_BACKUP_PASSPHRASE";
const [TEST_AT, COMMAND] = ["CALLBOARD_BACKUP_TEST_AT", "CALLBOARD_BACKUP_COMMAND"];
const NEVER = "never";
const WEEKLY = "0 5 * * 0";

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
  const testAt = env.get(TEST_AT) || WEEKLY;
  const text = env.get(COMMAND);
  const limitMs = readInteger(env, "CALLBOARD_BACKUP_COMMAND_SECONDS", 600, 86_400) * 1000;
  return {
    ...{ cron: readCron(AT, at), folder, keep, passphrase },
    bucket: readBucket(env),
    command: text ? { text, limitMs } : null,
    testCron: testAt === NEVER ? null : readCron(TEST_AT, testAt),
  };
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

function readCron(name: string, text: string): Cron {
  try {
    const cron = new Cron(text, { mode: "5-part", fixedTimeRule: "no-wildcard" });
    if (cron.nextRun()) return cron;
  } catch {
    // The sentence below says what is expected.
  }
  throw new ConfigError(`${name} must be five fields of cron, such as "0 3 * * *", not "${text}"`);
}
