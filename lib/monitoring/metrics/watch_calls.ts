import type { Metrics } from "./metrics.ts";

type Operation = "read" | "write";

/** Measures single reads and all writes of a store from now on, and counts those that fail. */
export function watchCalls(kv: Deno.Kv, { storeSeconds, storeErrors }: Metrics): void {
  function watched<Args extends unknown[], Result>(
    operation: Operation,
    call: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    const seconds = storeSeconds.labels(operation);
    const errors = storeErrors.labels(operation);
    errors.inc(0);
    return async (...args) => {
      const start = performance.now();
      try {
        return await call(...args);
      } catch (error) {
        errors.inc();
        throw error;
      } finally {
        seconds.observe((performance.now() - start) / 1000);
      }
    };
  }
  kv.get = watched("read", kv.get.bind(kv)) as Deno.Kv["get"];
  kv.getMany = watched("read", kv.getMany.bind(kv)) as Deno.Kv["getMany"];
  kv.set = watched("write", kv.set.bind(kv));
  kv.delete = watched("write", kv.delete.bind(kv));
  const commit = watched("write", (op: Commit) => op());
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const op = atomic();
    const plain = op.commit.bind(op);
    op.commit = () => commit(plain);
    return op;
  };
}

type Commit = Deno.AtomicOperation["commit"];
