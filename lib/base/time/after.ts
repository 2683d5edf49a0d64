/** Calls `fn` after a delay, which may be infinite. Returns a function that cancels the call. */
export function after(delayMs: number, fn: () => void): () => void {
  // A timer with more than 31 bits would fire immediately.
  const timer = delayMs < 2 ** 31 ? setTimeout(fn, delayMs) : undefined;
  return () => clearTimeout(timer);
}
