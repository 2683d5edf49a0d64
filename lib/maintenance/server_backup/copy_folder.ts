import { join } from "node:path";

/** The folder of the database's copy, which exists only during a backup. */
export const copyFolder = (dataDir: string): string => join(dataDir, "backup.tmp");

/** Opens the file that the process which makes a backup keeps locked. */
export const openLock = (dataDir: string): Promise<Deno.FsFile> =>
  Deno.open(join(dataDir, "backup.lock"), { create: true, write: true });

/** Removes the copy that a killed backup has left, unless another backup runs now. */
export async function removeLeftCopy(dataDir: string): Promise<void> {
  using lock = await openLock(dataDir);
  if (await lock.tryLock(true)) await removeIfThere(copyFolder(dataDir));
}

/** The folder of a test of a backup, which exists only meanwhile. */
export const testFolder = (dataDir: string): string => join(dataDir, "backup_test.tmp");

/** Removes what a test that was killed has left. */
export const removeLeftTest = (dataDir: string): Promise<void> =>
  removeIfThere(testFolder(dataDir));

export async function removeIfThere(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}
