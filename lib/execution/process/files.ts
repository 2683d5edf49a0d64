import { join } from "node:path";
import { shell } from "./shell.ts";

/**
 * The text of a file that a run may have changed; null when there is none, also when it is a link,
 * which may lead to the server's own files, or a pipe, on which reading would wait.
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

/** Removes a tree if there is one, also when a play took the right to write from its directories. */
export async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    const { success, stderr } = await shell('chmod -R u+rwX -- "$1"; rm -rf -- "$1"', path);
    if (!success) throw new Error(stderr, { cause: error });
  }
}

/** The folders in a folder; none where there is none. */
export async function subdirectories(path: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(path)).catch(() => []);
  return entries.filter((entry) => entry.isDirectory).map((entry) => join(path, entry.name));
}
