import { join } from "node:path";
import { explain } from "./data_folder.ts";
import { sleep } from "../time/pause.ts";
import { ConfigError } from "../settings/settings.ts";

/** Waits because a server that is being replaced may still be stopping its tasks. */
const WAIT_MS = 5_000;
const RETRY_MS = 100;

const LOCK = "server.lock";

/** Whether a server uses the data folder. It does not notice the question. */
export const isLocked = (dataDir: string): Promise<boolean> => isFileLocked(join(dataDir, LOCK));

/** Whether a process has locked a file by `lockForServer`. */
export async function isFileLocked(path: string): Promise<boolean> {
  try {
    using file = await Deno.open(path);
    return !await file.tryLock(false);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Makes this process the only server on a data folder until it exits. At its start a server stops
 * processes that an earlier one left running, so two servers would stop each other's tasks.
 */
export const lockDataFolder = (dataDir: string, waitMs?: number): Promise<Deno.FsFile> =>
  lockForServer(
    join(dataDir, LOCK),
    `Another Callboard already serves the data folder ${dataDir}`,
    waitMs,
  );

/**
 * Locks a file until this process exits. Throws ConfigError with `taken` if a server has it, and
 * with the reason if the file system has no locks.
 */
export async function lockForServer(
  path: string,
  taken: string,
  waitMs = WAIT_MS,
): Promise<Deno.FsFile> {
  const file = await Deno.open(path, { create: true, write: true });
  const tryLock = () =>
    file.tryLock(true).catch((cause) => {
      throw new ConfigError(`The file ${path} cannot be locked: ${explain(cause)}`, { cause });
    });
  for (let waited = 0; !await tryLock(); waited += RETRY_MS) {
    if (waited >= waitMs) {
      file.close();
      throw new ConfigError(taken);
    }
    await sleep(RETRY_MS);
  }
  return file;
}
