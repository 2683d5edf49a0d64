import type { Deps } from "../../access/deps.ts";
import { type OpenTask, renewLease } from "../../tasks/open_tasks.ts";
import { findTask } from "../../model/tasks.ts";
import { ownerName, runnerOwner } from "../../tasks/waiting/runner_owner.ts";
import type { RunnerDeps } from "./remote.ts";
import { findRemoteRun } from "./rows.ts";
import type { Store } from "../../store/store.ts";

/** A lease lasts for at least a minute. */
const RENEW_MS = 10_000;

/** Returns the lease of a runner's process. It lasts as long as the process may be silent. */
export const runnerLease = (
  { clock, config }: Pick<Deps, "clock" | "config">,
  runnerId: number,
  session: string,
): NonNullable<OpenTask["lease"]> => ({
  owner: ownerName({ runnerId, session }),
  until: clock.now().getTime() + config.runnerLostMs,
});

/**
 * Renews the lease of a task that its runner has mentioned. A runner that does not obey a force
 * stop or the time limit keeps it no longer, so that the task ends like that of a silent runner.
 */
export async function keepRunnerLease(deps: RunnerDeps, open: OpenTask): Promise<void> {
  const { renewals } = deps.remote;
  const owner = runnerOwner(open);
  const now = deps.clock.ticks();
  if (!owner || now - (renewals.get(open.id) ?? -Infinity) < RENEW_MS) return;
  renewals.set(open.id, now);
  if (await shouldHaveEnded(deps, open)) return;
  await renewLease(deps.kv, open.id, runnerLease(deps, owner.runnerId, owner.session));
}

async function shouldHaveEnded(
  { kv, clock, config: { taskTimeLimitMs } }: RunnerDeps,
  open: OpenTask,
): Promise<boolean> {
  if (await requestedStop(kv, open) === "force") return true;
  if (taskTimeLimitMs === 0) return false;
  const begun = (await findRemoteRun(kv, open.id))?.value.begun ?? Infinity;
  return clock.now().getTime() - begun > taskTimeLimitMs;
}

/** Returns the stop that someone has requested of a task that has not ended; null for none. */
export async function requestedStop(
  kv: Store,
  { id, project_id, status }: OpenTask,
): Promise<"stop" | "force" | null> {
  return status === "stopping" ? (await findTask(kv, project_id, id))?.stop || null : null;
}
