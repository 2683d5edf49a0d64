import { unlessAborted } from "../../base/time/abort.ts";
import { after } from "../../base/time/after.ts";
import { removeTree } from "./files.ts";

/** Longer than taking a free lock takes. */
const WAIT_MS = 300;

/**
 * Runs `fn` while no one else holds the lock of `file`, in this process or another one. Throws the
 * signal's reason when it is aborted while waiting. A lock ends with the process that holds it.
 * `onWait` is called if someone else has it.
 */
export async function withLock<T>(
  file: string,
  signal: AbortSignal,
  fn: () => Promise<T>,
  onWait: () => void = () => {},
): Promise<T> {
  signal.throwIfAborted();
  const found = await Deno.lstat(file).catch(() => null);
  // A run may have put something else there.
  if (found && !found.isFile) await removeTree(file);
  // A pipe that is opened for both waits for no one.
  const handle = await Deno.open(file, { create: true, read: true, write: true, mode: 0o600 });
  const locked = handle.lock(true);
  const cancelNote = after(WAIT_MS, onWait);
  try {
    await unlessAborted(locked, signal).finally(cancelNote);
    return await fn();
  } finally {
    // Closing unlocks. After an abort the lock is still pending, and must be taken before that.
    locked.finally(() => handle.close()).catch(() => {});
  }
}
