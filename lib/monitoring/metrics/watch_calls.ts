import type { WatchCalls } from "../../store/store.ts";
import type { Metrics } from "./metrics.ts";

/** Returns what measures single reads and all writes of a store, and counts those that fail. */
export function watchCalls({ storeSeconds, storeErrors }: Metrics): WatchCalls {
  const operations = {
    read: { seconds: storeSeconds.labels("read"), errors: storeErrors.labels("read") },
    write: { seconds: storeSeconds.labels("write"), errors: storeErrors.labels("write") },
  };
  for (const { errors } of Object.values(operations)) errors.inc(0);
  return (operation) => {
    const { seconds, errors } = operations[operation];
    const start = performance.now();
    return (error) => {
      if (error !== undefined) errors.inc();
      seconds.observe((performance.now() - start) / 1000);
    };
  };
}
