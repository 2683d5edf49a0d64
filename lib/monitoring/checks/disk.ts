import { inLimit } from "../../base/time/abort.ts";

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
