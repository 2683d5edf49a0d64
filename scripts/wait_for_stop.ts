/**
 * A terminal or a service manager signals both `deno task` and this process, and `deno task` passes
 * its signal on.
 */
const SAME_SIGNAL_MS = 1_000;

/** Resolves at the first signal. A later one ends the process immediately. */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt = Infinity;
    const listen = () => {
      if (performance.now() - firstAt > SAME_SIGNAL_MS) Deno.exit(1);
      firstAt = Math.min(firstAt, performance.now());
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      Deno.addSignalListener(signal, listen);
    }
  });
}
