import type { Deps } from "../access/deps.ts";
import { AppError, type Sentence } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { translator } from "../i18n/translate.ts";
import { openLog } from "../output/writer.ts";
import { findTask } from "../tasks/repository.ts";
import { mendOpenTask, type OpenTask } from "../tasks/open_tasks.ts";
import { finishTask } from "./finish.ts";
import { leaseWatch } from "./leases.ts";
import { AT_ONCE, LOOK_MS, RETRY_MS, WHEN_WOKEN } from "./waits.ts";

/**
 * Returns a function that ends tasks that no server runs any more, because their server is gone or
 * this one could not store their end. While other servers run tasks, it asks to be called again
 * soon.
 */
export function deadEnder(deps: Deps, owner: string, shared: boolean) {
  const findDead = leaseWatch(deps);
  const gone = shared ? "errors.run.server_gone" : "errors.run.interrupted";
  return async (elsewhere: OpenTask[]): Promise<number> => {
    const lost = elsewhere.filter(({ lease }) => lease?.owner === owner);
    const others = elsewhere.filter(({ lease }) => lease?.owner !== owner);
    const dead = shared ? findDead(others) : others;
    let wait = dead.length < others.length ? LOOK_MS : WHEN_WOKEN;
    for (const task of [...lost, ...dead]) {
      const reason = lost.includes(task) ? "errors.run.internal" : gone;
      wait = Math.min(wait, await giveEnd(deps, task, reason));
    }
    return wait;
  };
}

/** Ends the task, which frees its slot. Returns the time until the next look at the queue. */
export async function giveEnd(deps: Deps, task: OpenTask, reason: string): Promise<number> {
  try {
    await interruptTask(deps, task, { key: reason });
    await mendOpenTask(deps.kv, task);
    return AT_ONCE;
  } catch (error) {
    deps.log("error", "interrupt_failed", { task: task.id, ...describeError(error) });
    return RETRY_MS;
  }
}

/**
 * Ends a task that no server runs any more: stopped if that was requested, otherwise as an error.
 */
export async function interruptTask(
  deps: Deps,
  { id, project_id: projectId }: OpenTask,
  reason: Sentence,
): Promise<void> {
  // No log may be written for a task that was deleted, for example with its project.
  if (!await findTask(deps.kv, projectId, id)) return;
  try {
    const target = { kv: deps.kv, hub: deps.hub, clock: deps.clock, projectId, taskId: id };
    const writer = await openLog(target);
    await writer.write(translator("en")(reason.key, reason.params));
    await writer.flush();
    const task = { id, project_id: projectId };
    await finishTask(deps, task, "error", reason, writer);
  } catch (error) {
    // Another server was faster, or the project was deleted meanwhile.
    if (!(error instanceof AppError)) throw error;
  }
}
