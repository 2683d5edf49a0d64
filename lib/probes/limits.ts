import type { ProjectScope } from "../access/scope.ts";
import { linkedAbort } from "../base/abort.ts";
import { after } from "../base/after.ts";
import { AppError } from "../base/errors.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";

/** Somebody waits for the answer, so it must not take as long as a run may. */
const LIMIT_MS = 60_000;
const AT_ONCE = 6;
const AT_ONCE_IN_PROJECT = 2;

/** What is tried out now, and for which project. */
const underWay = new WeakMap<Deno.Kv, Set<{ projectId: number }>>();

/**
 * Tries something out as a run would do it, within a minute. Throws 429 while too many others do
 * that: each trial is some processes, and no queue holds them back.
 */
export async function withinLimits<T>(
  { deps, projectId }: ProjectScope,
  work: (env: RunEnvironment, stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const trials = underWay.get(deps.kv) ?? new Set();
  underWay.set(deps.kv, trials);
  const ofProject = [...trials].filter((trial) => trial.projectId === projectId).length;
  if (trials.size >= AT_ONCE || ofProject >= AT_ONCE_IN_PROJECT) {
    throw new AppError(429, "errors.probes.busy", {}, { headers: { "Retry-After": "5" } });
  }
  const trial = { projectId };
  trials.add(trial);
  const halt = linkedAbort();
  const late = new AppError(422, "errors.probes.time_limit", { seconds: LIMIT_MS / 1000 });
  const forget = after(LIMIT_MS, () => halt.abort(late));
  try {
    return await work(deps.environment, halt.signal);
  } catch (error) {
    throw halt.signal.aborted ? late : error;
  } finally {
    forget();
    trials.delete(trial);
  }
}
