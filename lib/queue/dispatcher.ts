import type { Deps } from "../access/deps.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import { rowKeys } from "../kv/keys.ts";
import { startLoop } from "../kv/loop.ts";
import { listOpenTasks } from "../tasks/open_tasks.ts";
import { isActive } from "../tasks/status.ts";
import { createClaimer } from "./claim.ts";
import { createOrphanEnder } from "./interrupt.ts";
import { createRuns } from "./runs.ts";
import { RETRY_MS, WHEN_WOKEN } from "./waits.ts";

interface DispatcherOptions {
  environment: RunEnvironment;
  /** Whether other servers use the same store. Their claims and leases are respected then. */
  shared: boolean;
}

interface Dispatcher {
  /** Checks the queue now because a task was added, ended, or may continue. */
  wake(): void;
  /** Claims no more tasks, waits at most `drainMs` for running ones, then interrupts them. */
  stop(drainMs: number): Promise<void>;
  /** Number of tasks that this server runs now. */
  readonly running: number;
}

/**
 * Starts tasks as soon as the limits allow, in the order in which they were queued. It sleeps until
 * it is woken. The only timer is for the leases of servers that died.
 */
export function startDispatcher(
  deps: Deps,
  { environment, shared }: DispatcherOptions,
): Dispatcher {
  const owner = crypto.randomUUID();
  const runs = createRuns(deps, environment, owner, () => loop.wake());
  const endDead = createOrphanEnder(deps, owner, shared);
  const claimAll = createClaimer(deps, owner, runs);

  async function checkQueue(stop: AbortSignal): Promise<number> {
    // Both are read before the list, because a task's end is stored before it leaves `runs`.
    const guard = await deps.kv.get(rowKeys.dispatcherClaims());
    const running = runs.ids();
    const open = await listOpenTasks(deps.kv);
    const waits = [
      await endDead(open.filter(({ id, status }) => isActive(status) && !running.has(id))),
      await claimAll(open, guard.versionstamp, stop),
    ];
    return Math.min(...waits);
  }

  const loop = startLoop(deps, {
    name: "dispatcher",
    wokenBy: shared ? rowKeys.tasksWake() : undefined,
    step: checkQueue,
    sleepMsMax: WHEN_WOKEN,
    retryMs: RETRY_MS,
  });

  return {
    wake: loop.wake,
    get running() {
      return runs.size;
    },
    async stop(drainMs) {
      await loop.stop();
      await runs.drain(drainMs);
    },
  };
}
