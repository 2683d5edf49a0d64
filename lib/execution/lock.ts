/**
 * Runs `fn` while nobody else holds the lock of `file`, in this process or another one. Throws the
 * signal's reason when it is aborted while waiting. A lock ends with the process that holds it.
 */
export async function withLock<T>(
  file: string,
  signal: AbortSignal,
  fn: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const handle = await Deno.open(file, { create: true, write: true, mode: 0o600 });
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const locked = handle.lock(true);
  try {
    await Promise.race([locked, aborted]);
    return await fn();
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Closing unlocks; while still waiting, the turn has to come first.
    locked.finally(() => handle.close()).catch(() => {});
  }
}
