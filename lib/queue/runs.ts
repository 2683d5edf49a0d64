import type { Deps } from "../access/deps.ts";
import { linkedAbort } from "../base/abort.ts";
import { AppError } from "../base/errors.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import { taskChanged } from "../tasks/changes.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { executeTask } from "./execute.ts";
import { keepLease } from "./leases.ts";

/** The tasks that one server runs. */
export interface Runs {
  readonly size: number;
  ids(): Set<number>;
  start(claimed: TaskRow): void;
  /** Waits at most `drainMs` for them to end, then interrupts them. */
  drain(drainMs: number): Promise<void>;
}

/**
 * Creates the set of running tasks. `onEnd` is called after each end is stored and its task
 * removed.
 */
export function createRuns(
  deps: Deps,
  environment: RunEnvironment,
  owner: string,
  onEnd: () => void,
): Runs {
  const running = new Map<number, Promise<void>>();
  const interrupt = new AbortController();

  function start(task: TaskRow) {
    const run = { task: task.id, project: task.project_id, template: task.template_id };
    deps.log("debug", "run_started", run);
    taskChanged(deps, task);
    const abandon = linkedAbort(interrupt.signal);
    const releaseLease = keepLease(
      deps,
      owner,
      task.id,
      () => abandon.abort(new AppError(409, "errors.run.lease_lost")),
    );
    const done = executeTask({ deps, environment, abandon: abandon.signal }, task).finally(() => {
      releaseLease();
      abandon.release();
      // After a preview, the task may already have been confirmed and claimed again.
      if (running.get(task.id) === done) running.delete(task.id);
      deps.log("debug", "run_ended", run);
      onEnd();
    });
    running.set(task.id, done);
  }

  return {
    get size() {
      return running.size;
    },
    ids: () => new Set(running.keys()),
    start,
    async drain(drainMs) {
      const timer = setTimeout(
        () => interrupt.abort(new AppError(409, "errors.run.shutdown")),
        drainMs,
      );
      await Promise.all(running.values());
      clearTimeout(timer);
    },
  };
}
