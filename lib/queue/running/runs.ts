import type { Deps } from "../../access/deps.ts";
import { linkedAbort } from "../../base/time/abort.ts";
import { after } from "../../base/time/after.ts";
import { AppError } from "../../base/errors.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import { taskChanged } from "../../tasks/changes.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { executeTask } from "./execute.ts";
import { keepLease } from "../leases/leases.ts";

/** Time for an end to be stored after its processes had theirs. */
const LAST_STORE_MS = 5_000;

/** The tasks that one server runs. */
export interface Runs {
  readonly size: number;
  ids(): Set<number>;
  start(claimed: TaskRow): void;
  /**
   * Waits at most `drainMs` for them to end, then interrupts them. Resolves when all have ended
   * and, as `closed` says, no more can be started.
   */
  drain(drainMs: number, closed: Promise<void>): Promise<void>;
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
  const giveUp = new AbortController();

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
    const execution = { deps, environment, abandon: abandon.signal, giveUp: giveUp.signal };
    const done = executeTask(execution, task).finally(() => {
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
    async drain(drainMs, closed) {
      const cancel = [
        after(drainMs, () => interrupt.abort(new AppError(409, "errors.run.shutdown"))),
        after(drainMs + environment.graceMs + LAST_STORE_MS, () => giveUp.abort()),
      ];
      await closed;
      await Promise.all(running.values());
      cancel.forEach((release) => release());
    },
  };
}
