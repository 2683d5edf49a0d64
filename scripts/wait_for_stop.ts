/**
 * A terminal or a service manager signals both `deno task` and this process, and `deno task` passes
 * its signal on.
 */
const SAME_SIGNAL_MS = 1_000;

/** Resolves at the first signal. A later one ends the process immediately. */
export function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    let toldAt = Infinity;
    const listen = () => {
      if (performance.now() - toldAt > SAME_SIGNAL_MS) Deno.exit(1);
      toldAt = Math.min(toldAt, performance.now());
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, listen);
  });
}
