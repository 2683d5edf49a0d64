import type { ProjectScope } from "../access/scope.ts";
import { linkedAbort } from "../base/abort.ts";
import { after } from "../base/after.ts";
import { AppError } from "../base/errors.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import { TEST_LIMIT_MS } from "../runner/checks.ts";

const TESTS_PARALLEL_MAX = 6;
const PROJECT_PARALLEL_MAX = 2;

/** The calls of `withinLimits` in progress, with their projects. */
const underWay = new WeakMap<Deno.Kv, Set<{ projectId: number }>>();

/**
 * Does `work`, such as a connection test, as a task would do it, within a time limit. Throws 429
 * while too many others are in progress: each one starts processes, and no queue limits them.
 */
export async function withinLimits<T>(
  { deps, projectId }: ProjectScope,
  work: (env: RunEnvironment, stop: AbortSignal) => Promise<T>,
  limitMs = TEST_LIMIT_MS,
): Promise<T> {
  const running = underWay.get(deps.kv) ?? new Set();
  underWay.set(deps.kv, running);
  const ofProject = [...running].filter((test) => test.projectId === projectId).length;
  if (running.size >= TESTS_PARALLEL_MAX || ofProject >= PROJECT_PARALLEL_MAX) {
    throw new AppError(429, "errors.connection_tests.busy", {}, {
      headers: { "Retry-After": "5" },
    });
  }
  const test = { projectId };
  running.add(test);
  const halt = linkedAbort();
  const late = new AppError(422, "errors.connection_tests.time_limit", {
    seconds: limitMs / 1000,
  });
  const release = after(limitMs, () => halt.abort(late));
  try {
    return await work(deps.environment, halt.signal);
  } catch (error) {
    throw halt.signal.aborted ? late : error;
  } finally {
    release();
    running.delete(test);
  }
}
