import { statfs } from "node:fs/promises";
import { inLimit } from "../../base/abort.ts";

/** A disk that does not respond must not block the caller. */
const DISK_MS_MAX = 1_000;

/** Returns what `work` finds on a disk; null if it fails or takes too long. */
export const onDisk = <T>(work: Promise<T>): Promise<T | null> =>
  inLimit(work, DISK_MS_MAX, () => new Error("slow disk")).catch(() => null);

/** Returns the size of the store's file with its log. */
export async function storeSize(store: string): Promise<number> {
  const { size } = await Deno.stat(store);
  const log = await Deno.stat(`${store}-wal`).catch(() => null);
  return size + (log?.size ?? 0);
}

/** Returns the size of the disk of a folder, and the part that this process may still use. */
export async function diskSpace(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}
