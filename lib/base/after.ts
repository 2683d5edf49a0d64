/** Calls `fn` after a time, which may be infinite; gives what forgets it. */
export function after(delayMs: number, fn: () => void): () => void {
  // A timer with more than 31 bits fires at once.
  const timer = delayMs < 2 ** 31 ? setTimeout(fn, delayMs) : undefined;
  return () => clearTimeout(timer);
}
