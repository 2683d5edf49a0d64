import type { Deps } from "../../access/deps.ts";
import type { Sentence } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { orOvertaken } from "../../store/transact.ts";
import { openLog } from "../../output/writer.ts";
import { findTask } from "../../model/tasks.ts";
import { type OpenTask, repairQueueRow } from "../../tasks/open_tasks.ts";
import { endTask } from "./end_task.ts";
import { endedOnFullDisk, forgetFullDisk } from "./full_disk.ts";
import { leaseWatch } from "../leases/leases.ts";
import { NOW_MS, POLL_MS, RETRY_MS, WHEN_WOKEN } from "../leases/waits.ts";

/**
 * Returns a function that ends tasks that no server runs any more, because their server is gone or
 * this one could not store their end. While other servers run tasks, it asks to be called again
 * soon.
 */
export function createOrphanEnder(deps: Deps, owner: string, shared: boolean) {
  const findDead = leaseWatch(deps);
  return async (elsewhere: OpenTask[]): Promise<number> => {
    const lost = elsewhere.filter(({ lease }) => lease?.owner === owner);
    const others = elsewhere.filter(({ lease }) => lease?.owner !== owner);
    const dead = shared ? findDead(others) : others;
    let wait = dead.length < others.length ? POLL_MS : WHEN_WOKEN;
    for (const task of [...lost, ...dead]) {
      const why = await endedOnFullDisk(deps, task.id)
        ? DISK_FULL
        : lost.includes(task)
        ? FAILED
        : shared
        ? SERVER_GONE
        : INTERRUPTED;
      const waitMs = await endAbandoned(deps, task, why);
      if (why === DISK_FULL && waitMs === NOW_MS) await forgetFullDisk(deps, task.id);
      wait = Math.min(wait, waitMs);
    }
    return wait;
  };
}

/** Reason for which a task that nobody runs ends, in its output and with its end. */
interface Abandoned {
  how: "error" | "interrupted" | "lost";
  reason: Sentence;
}

export const FAILED: Abandoned = { how: "error", reason: { key: "errors.run.internal" } };
export const INTERRUPTED: Abandoned = {
  how: "interrupted",
  reason: { key: "errors.run.interrupted" },
};
const DISK_FULL: Abandoned = { how: "error", reason: { key: "errors.run.disk_full" } };
export const SERVER_GONE: Abandoned = { how: "lost", reason: { key: "errors.run.server_gone" } };

/** How a server lost sight of a run on a runner. */
type RunnerLoss =
  | "runner_lost"
  | "runner_restarted"
  | "runner_revoked"
  | "runner_unreachable";

export const because = (reason: RunnerLoss, task: Pick<OpenTask, "runner_name">): Abandoned => ({
  how: "lost",
  reason: { key: `errors.run.${reason}`, params: { name: task.runner_name ?? "" } },
});

/**
 * Takes over a task that nobody runs any more, and ends it, which frees its slot. Returns the
 * time until the next look at the queue.
 */
export async function endAbandoned(
  deps: Deps,
  open: OpenTask,
  why: Abandoned,
): Promise<number> {
  try {
    await orOvertaken(takeOver(deps, open, why));
    await repairQueueRow(deps.kv, open);
    return NOW_MS;
  } catch (error) {
    deps.log("error", "interrupt_failed", { task: open.id, ...describeError(error) });
    return RETRY_MS;
  }
}

async function takeOver(deps: Deps, { id, project_id }: OpenTask, { how, reason }: Abandoned) {
  const { kv, hub, clock } = deps;
  const task = await findTask(kv, project_id, id);
  // No log may be written for a task that was deleted, for example with its project.
  if (!task) return;
  const log = await openLog({ kv, hub, clock, projectId: project_id, taskId: id });
  await log.writeSentence(reason);
  await log.flush();
  await endTask(deps, task, { how, reason, log });
}
