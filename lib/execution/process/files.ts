import { join } from "node:path";
import { shell } from "./shell.ts";

/**
 * Returns the text of a file that a run may have changed, or null if there is none. Returns null
 * for a link too, since it may lead to the server's own files, and for a pipe, since reading would
 * wait.
 */
export async function readPlainFile(path: string): Promise<string | null> {
  try {
    const { isFile } = await Deno.lstat(path);
    return isFile ? await Deno.readTextFile(path) : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Removes a tree if it exists, even if a play removed the write permission of its directories. */
export async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    const { success, stderr } = await shell('chmod -R u+rwX -- "$1"; rm -rf -- "$1"', path);
    if (!success) throw new Error(stderr, { cause: error });
  }
}

/** Returns the folders in a folder. Empty if the folder does not exist. */
export async function subdirectories(path: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(path)).catch(() => []);
  return entries.filter((entry) => entry.isDirectory).map((entry) => join(path, entry.name));
}
