import { join } from "node:path";
import { type Config, isShared } from "../settings/config.ts";
import { ConfigError } from "../settings/settings.ts";

/** Name of the file that tests whether the folder is writable. */
const PROBE = "write.probe";

/** Files restricted to their owner, even if another umask created them. */
const FILES = [
  ...["secret.key", "secret.key.previous", "server.lock", "backup.lock", "ansible.json"],
  "runner.json",
];

/**
 * Creates the data folder if it is missing and restricts it and its files to their owner. The umask
 * does the same for all files that this process creates. Throws ConfigError if the folder is not
 * usable.
 */
export async function openDataFolder(config: Pick<Config, "dataDir" | "kv">): Promise<void> {
  const { dataDir } = config;
  Deno.umask(0o077);
  try {
    await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(join(dataDir, PROBE), "");
    await Deno.remove(join(dataDir, PROBE)).catch((error) => {
      // Another process that opens the folder has removed it.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  } catch (error) {
    throw new ConfigError(`The data folder ${dataDir} cannot be used: ${explain(error)}`, {
      cause: error,
    });
  }
  // Keeps the group's execute bit, which lets the account of tasks pass through the folder.
  const { mode } = await Deno.stat(dataDir);
  await setMode(dataDir, 0o700 | (mode! & 0o010));
  const files = FILES.map((name) => join(dataDir, name));
  if (!isShared(config)) files.push(...["", "-wal", "-shm"].map((end) => config.kv + end));
  for (const file of files) await setMode(file, 0o600);
}

/** Ignores files that do not exist and file systems that do not support modes. */
async function setMode(path: string, mode: number): Promise<void> {
  await Deno.chmod(path, mode).catch(() => {});
}

/** Returns the reason of a file system error, for the person who set up the server. */
export const explain = (error: unknown): string =>
  systemReason(error) ?? (error instanceof Error ? error.message : String(error));

/** SQLite's error code for a database that cannot grow. */
const SQLITE_FULL = 13;

/** Returns the reason given by the file system, or by SQLite on it; null for any other error. */
export function systemReason(error: unknown): string | null {
  const { code, errcode } = Object(error) as { code?: string; errcode?: number };
  if (errcode === SQLITE_FULL) return REASONS.ENOSPC!;
  return code === undefined ? null : REASONS[code] ?? null;
}

const REASONS: Record<string, string | undefined> = {
  EACCES: "this account is not allowed to write there",
  EPERM: "this account is not allowed to write there",
  EEXIST: "it is a file",
  ENOTDIR: "it or one of its parent folders is a file",
  ENOENT: "its parent folder is missing",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the account's quota is used up",
  EFBIG: "the limit of the file size is reached",
  EIO: "the disk cannot be read or written",
  EISDIR: "it is a folder",
};
