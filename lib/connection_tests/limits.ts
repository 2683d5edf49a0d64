import type { ProjectScope } from "../access/scope.ts";
import { linkedAbort } from "../base/time/abort.ts";
import { after } from "../base/time/after.ts";
import { AppError } from "../base/errors.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import { TEST_LIMIT_MS } from "../runner/connection_tests.ts";
import { createSlots } from "../store/limiters/slots.ts";

const TESTS_PARALLEL_MAX = 6;
const PROJECT_PARALLEL_MAX = 2;
/**
 * Tests that one account may have, and all projects together beyond the first test of each. The
 * rest is left for other people, and for projects without one.
 */
const SHARED_MAX = 4;

const slots = createSlots("connection tests");

const busy = () =>
  new AppError(429, "errors.connection_tests.busy", {}, { headers: { "Retry-After": "5" } });

/**
 * Does `work`, such as a connection test, as a task would do it, within a time limit. Throws 429
 * while too many others are in progress: each one starts processes, and no queue limits them.
 */
export async function withinLimits<T>(
  { deps, actor, projectId }: ProjectScope,
  work: (env: RunEnvironment, stop: AbortSignal) => Promise<T>,
  limitMs = TEST_LIMIT_MS,
): Promise<T> {
  const ofProject = `project ${projectId}`;
  const max = slots.taken(deps.kv, ofProject) === 0 ? TESTS_PARALLEL_MAX : SHARED_MAX;
  const leave = slots.take(deps.kv, [
    { of: "all", max, full: busy },
    { of: ofProject, max: PROJECT_PARALLEL_MAX, full: busy },
    ...actor.kind === "user" ? [{ of: `account ${actor.id}`, max: SHARED_MAX, full: busy }] : [],
  ]);
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
    leave();
  }
}
