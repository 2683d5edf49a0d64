import type { Deps } from "../../access/deps.ts";
import { type OpenTask, renewLease } from "../../tasks/open_tasks.ts";
import { ownerName } from "./owner.ts";
import type { RunnerDeps } from "./remote.ts";

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

/** Renews the lease of a task that its runner has mentioned. */
export async function keepRunnerLease(
  deps: RunnerDeps,
  taskId: number,
  runnerId: number,
  session: string,
): Promise<void> {
  const { renewals } = deps.remote;
  const now = deps.clock.ticks();
  if (now - (renewals.get(taskId) ?? -Infinity) < RENEW_MS) return;
  renewals.set(taskId, now);
  await renewLease(deps.kv, taskId, runnerLease(deps, runnerId, session));
}
