/** Longest pause between two checks, so that a slow thing is not checked all the time. */
const PAUSE_MAX_MS = 100;

/**
 * Pauses for a tenth of the time that has passed. What takes long is checked rarely, because each
 * check costs CPU that the thing itself could use.
 */
export function pauseSince(startedAt: number, leastMs: number, mostMs: number): Promise<void> {
  const passed = performance.now() - startedAt;
  const ms = Math.min(Math.max(passed / 10, leastMs), mostMs);
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Waits until `isSo`, and checks every few milliseconds. Fails after `limitMs`. The limit is long
 * because everything is late on a busy machine, and only failures ever reach it.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  limitMs = 120_000,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() > startedAt + limitMs) {
      throw new Error(`not so after ${limitMs} ms: ${isSo}`);
    }
    await pauseSince(startedAt, 5, PAUSE_MAX_MS);
  }
}
