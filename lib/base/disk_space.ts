import { statfs } from "node:fs/promises";

/** Returns the size of the disk of a folder, and the part that this process may still use. */
export async function diskSpace(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}
