/**
 * Waits until `isSo`, and checks every few milliseconds. Fails after `limitMs`. The limit is long
 * because everything is late on a busy machine, and only failures ever reach it.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  limitMs = 120_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so after ${limitMs} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
