import { computed, type ReadonlySignal } from "@preact/signals-core";
import { useMemo, useRef } from "react";

/**
 * Returns a signal with the result of `compute`, as `useComputed` of `@preact/signals` does. Code
 * that the server runs, too, must not import that package: it takes part in each step of rendering,
 * which made the list of 500 templates a sixth slower.
 */
export function useComputed<T>(compute: () => T): ReadonlySignal<T> {
  const latest = useRef(compute);
  latest.current = compute;
  return useMemo(() => computed(() => latest.current()), []);
}
