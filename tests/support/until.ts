/** Waits until `isSo`, looking again every few milliseconds; fails after `limitMs`. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  limitMs = 5_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so after ${limitMs} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
