import { Session } from "node:inspector";
import { getHeapStatistics } from "node:v8";

/** The cost of a piece of work, in counts that do not depend on how busy the machine is. */
interface Work {
  /** Number of executed blocks of code, as V8 counts them for coverage. */
  steps: number;
  /** Number of allocated bytes. They include copies, which are not steps of our code. */
  bytes: number;
  /** Units and items that were searched by built-in methods. */
  searched: number;
}

interface Coverage {
  result: { functions: { ranges: { count: number }[] }[] }[];
}

const session = new Session();
session.connect();

const ask = (method: string, params?: object): Promise<Coverage> =>
  new Promise((resolve, reject) => {
    session.post(
      method,
      params,
      (error, answer) => error ? reject(error) : resolve(answer as Coverage),
    );
  });

// V8 counts the blocks only of functions that are compiled after this, at their first call. So
// everything that is imported after this file is counted.
void ask("Profiler.enable");
void ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/**
 * Counts the work of `run`. Only one call at a time, because the counters are those of the thread.
 */
export async function workOf(run: () => unknown): Promise<Work> {
  const searches = countSearches();
  try {
    await ask("Profiler.takePreciseCoverage");
    const before = allocated();
    await run();
    const bytes = allocated() - before;
    const functions = (await ask("Profiler.takePreciseCoverage")).result
      .flatMap((file) => file.functions);
    const ranges = functions.flatMap(({ ranges }) => ranges);
    const steps = ranges.reduce((sum, { count }) => sum + count, 0);
    return { steps, bytes, searched: searches.count() };
  } finally {
    searches.stop();
  }
}

const allocated = () =>
  (getHeapStatistics() as unknown as { total_allocated_bytes: number }).total_allocated_bytes;

/** Wraps the searches of texts and lists in a counter, because they are not our code. */
function countSearches() {
  let searched = 0;
  const undo = [String.prototype, Array.prototype].flatMap((prototype: object) =>
    ["indexOf", "includes", "startsWith"].filter((name) => name in prototype).map((name) => {
      const own = Object.getOwnPropertyDescriptor(prototype, name)!;
      const value = function (this: string | unknown[], wanted: never, from = 0) {
        const found = Reflect.apply(own.value, this, [wanted, from]);
        if (name === "startsWith") searched += (wanted as string).length;
        else searched += (typeof found === "number" && found >= 0 ? found : this.length) - from;
        return found;
      };
      Object.defineProperty(prototype, name, { ...own, value });
      return () => Object.defineProperty(prototype, name, own);
    })
  );
  return { count: () => searched, stop: () => undo.forEach((restore) => restore()) };
}
