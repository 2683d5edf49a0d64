import { tmpdir } from "node:os";
import { join } from "node:path";
import { printed } from "../scripts/command.ts";

/**
 * Creates the folder for all temporary files of a run of tests. Its path is short, because those of
 * sockets have at most 107 characters. Like `/tmp`, it is open to all accounts.
 */
export async function makeTestFolder(): Promise<string> {
  const folder = join(tmpdir(), `t${Deno.pid}`);
  // A run that was killed may have left it.
  await removeTestFolder(folder);
  await Deno.mkdir(folder);
  await Deno.chmod(folder, 0o1777);
  // Ext4 then spreads the folders in it over the disk. Near files that were deleted in the last
  // minutes, it would read about each of these before it creates one, which takes 4 % of the CPU.
  await printed(["chattr", "+T", folder]);
  return folder;
}

/** Removes the folder. Files that a process still writes, or that are mounted, stay. */
export const removeTestFolder = (folder: string): Promise<void> =>
  Deno.remove(folder, { recursive: true }).catch(() => {});
