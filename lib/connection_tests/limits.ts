import type { ProjectScope } from "../access/scope.ts";
import { linkedAbort } from "../base/abort.ts";
import { after } from "../base/after.ts";
import { AppError } from "../base/errors.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import { TEST_LIMIT_MS } from "../runner/checks.ts";
import type { Store } from "../store/store.ts";

const TESTS_PARALLEL_MAX = 6;
const PROJECT_PARALLEL_MAX = 2;
/**
 * Tests that one account may have, and all projects together beyond the first test of each. The
 * rest is left for other people, and for projects without one.
 */
const SHARED_MAX = 4;

/** A call of `withinLimits` in progress, with the account if a person has made it. */
interface Test {
  projectId: number;
  accountId: number | null;
}

const underWay = new WeakMap<Store, Set<Test>>();

/** Whether the limits of the server, the project and the account leave room for a test. */
function hasRoom(running: ReadonlySet<Test>, { projectId, accountId }: Test): boolean {
  const tests = [...running];
  const ofProject = tests.filter((test) => test.projectId === projectId).length;
  const ofAccount = tests.filter((test) => test.accountId === accountId).length;
  return running.size < (ofProject === 0 ? TESTS_PARALLEL_MAX : SHARED_MAX) &&
    ofProject < PROJECT_PARALLEL_MAX && (accountId === null || ofAccount < SHARED_MAX);
}

/**
 * Does `work`, such as a connection test, as a task would do it, within a time limit. Throws 429
 * while too many others are in progress: each one starts processes, and no queue limits them.
 */
export async function withinLimits<T>(
  { deps, actor, projectId }: ProjectScope,
  work: (env: RunEnvironment, stop: AbortSignal) => Promise<T>,
  limitMs = TEST_LIMIT_MS,
): Promise<T> {
  const running = underWay.get(deps.kv) ?? new Set();
  underWay.set(deps.kv, running);
  const test: Test = { projectId, accountId: actor.kind === "user" ? actor.id : null };
  if (!hasRoom(running, test)) {
    throw new AppError(429, "errors.connection_tests.busy", {}, {
      headers: { "Retry-After": "5" },
    });
  }
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
