/**
 * Waits until `isSo`, looking again every few milliseconds; fails after `limitMs`, which only a
 * failure ever takes: on a machine that has much else to do everything is late.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  limitMs = 30_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so after ${limitMs} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
