import type { Deps } from "../../access/deps.ts";
import { RUNNER_SILENT_MS } from "../../runner/protocol.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import type { OpenTask } from "../../tasks/open_tasks.ts";
import { because, endAbandoned } from "../ending/interrupt.ts";
import { leaseWatch } from "../leases/leases.ts";
import { POLL_MS, WHEN_WOKEN } from "../leases/waits.ts";
import { requestedStop } from "./lease.ts";
import { runnerOwner } from "../../tasks/waiting/runner_owner.ts";
import type { RunnerDeps } from "./remote.ts";

/**
 * Returns a function that ends the tasks of runners that were silent for too long or have lost
 * their token, and those that someone force-stopped while their runner was silent. While runners
 * have tasks, it asks to be called again soon.
 */
export function createLostRunEnder(deps: Deps) {
  const findLost = leaseWatch(deps, deps.config.runnerLostMs);
  const findSilent = leaseWatch(deps, RUNNER_SILENT_MS);
  return async (tasks: OpenTask[], runners: readonly RunnerRow[]): Promise<number> => {
    const valid = new Set(runners.filter((row) => row.token_hash !== null).map(({ id }) => id));
    const lost = new Set(findLost(tasks));
    const silent = new Set(findSilent(tasks));
    let wait = tasks.length > 0 ? POLL_MS : WHEN_WOKEN;
    for (const task of tasks) {
      const reason = !valid.has(runnerOwner(task)!.runnerId)
        ? "runner_revoked"
        : lost.has(task)
        ? "runner_lost"
        : silent.has(task) && await requestedStop(deps.kv, task) === "force"
        ? "runner_unreachable"
        : null;
      if (reason) wait = Math.min(wait, await endAbandoned(deps, task, because(reason, task)));
    }
    return wait;
  };
}

/** Ends the tasks that an earlier process of a runner has left. */
export async function endTasksOfEarlierProcesses(
  deps: RunnerDeps,
  open: OpenTask[],
  runnerId: number,
  session: string,
): Promise<void> {
  for (const task of open) {
    const owner = runnerOwner(task);
    if (owner?.runnerId !== runnerId || owner.session === session) continue;
    await endAbandoned(deps, task, because("runner_restarted", task));
  }
}
