import { constants, open } from "node:fs/promises";
import { join } from "node:path";
import { shell } from "./shell.ts";

/** The longest file of a run that is read. Names of all tags of a large repository fit. */
const BYTES_MAX = 64 * 1024 * 1024;
/** Fails for a link, since it may lead to the server's own files, and waits for no writer. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Codes of a missing file, a link, and a socket. */
const NOT_PLAIN = ["ENOENT", "ELOOP", "ENXIO"];

/**
 * Returns the text of a file that a run may have changed, or null if there is no plain file, or one
 * that is too long.
 */
export async function readPlainFile(path: string): Promise<string | null> {
  try {
    await using file = await open(path, PLAIN);
    const found = await file.stat();
    if (!found.isFile() || found.size > BYTES_MAX) return null;
    const bytes = new Uint8Array(found.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return new TextDecoder().decode(bytes.subarray(0, length));
  } catch (error) {
    if (NOT_PLAIN.includes((error as NodeJS.ErrnoException).code ?? "")) return null;
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

/**
 * Writes a file into a folder that runs may change, and gives it its name when it is complete.
 * Fails rather than write through a link that a run has left.
 */
export async function writePlainFile(path: string, text: string): Promise<void> {
  const made = `${path}.new`;
  await removeTree(made);
  await Deno.writeTextFile(made, text, { mode: 0o600, createNew: true });
  await Deno.rename(made, path);
}

/** Returns the folders in a folder. Empty if the folder does not exist. */
export async function subdirectories(path: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(path)).catch(() => []);
  return entries.filter((entry) => entry.isDirectory).map((entry) => join(path, entry.name));
}
