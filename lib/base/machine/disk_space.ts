import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../errors.ts";

const PROBE = "disk_probe";
const PROBE_BYTES = 64 * 1024;

/** Returns the size of the disk of a folder, and the part that this process may still use. */
export async function diskSpace(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Writes a file to the data folder and removes it. Throws if the folder cannot be written to. */
export async function tryDisk(dataDir: string): Promise<null> {
  const probe = join(dataDir, PROBE);
  try {
    await Deno.writeFile(probe, new Uint8Array(PROBE_BYTES), { mode: 0o600 });
  } finally {
    await Deno.remove(probe).catch(() => {});
  }
  return null;
}

/** Messages of programs about a full disk of this machine, not about that of a git server. */
export const NO_SPACE = /^(?![ \t]*remote:).*(No space left on device|Disk quota exceeded)/im;

const CODES = ["ENOSPC", "EDQUOT"];

/**
 * Whether an error, its cause or what it quotes says that a disk of this machine is full. Errors of
 * runs quote programs of this machine, and others may quote another one.
 */
export function isDiskFull(error: unknown): boolean {
  if (typeof error === "string") return NO_SPACE.test(error);
  if (!(error instanceof Error)) return false;
  const isOther = error instanceof AppError && !error.key.startsWith("errors.run.");
  if (isOther) return false;
  const quoted = error instanceof AppError ? Object.values(error.params) : [error.message];
  return CODES.includes((error as NodeJS.ErrnoException).code ?? "") ||
    quoted.some((text) => typeof text === "string" && NO_SPACE.test(text)) ||
    isDiskFull(error.cause);
}
