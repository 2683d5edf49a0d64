import { maintenanceHold } from "../../access/maintenance.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import { rowKeys } from "../../store/keys.ts";
import { startLoop } from "../../store/loop.ts";
import { listOpenTasks } from "../../tasks/open_tasks.ts";
import { isActive } from "../../model/status.ts";
import { hasTestFor } from "../../runners/connection_tests.ts";
import { listRunners } from "../../runners/repository.ts";
import { createClaimer } from "./claim.ts";
import { createOrphanEnder } from "../ending/interrupt.ts";
import { createLostRunEnder } from "../remote/lost.ts";
import { runnerOwner } from "../../tasks/waiting/runner_owner.ts";
import type { RunnerDeps } from "../remote/remote.ts";
import { createRuns } from "../running/runs.ts";
import { RETRY_MS, SHARED_EVERY_MS, WHEN_WOKEN } from "../leases/waits.ts";

/** A look at the queue takes milliseconds. */
const STEP_MS_MAX = 60_000;

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
  runningIds(): number[];
}

/**
 * Starts tasks as soon as the limits allow, in the order in which they were queued. It sleeps until
 * it is woken. The only timer is for the leases of servers that died.
 */
export function startDispatcher(
  deps: RunnerDeps,
  { environment, shared }: DispatcherOptions,
): Dispatcher {
  const { remote } = deps;
  const owner = crypto.randomUUID();
  const runs = createRuns(deps, environment, owner, () => loop.wake());
  const endDead = createOrphanEnder(deps, owner, shared);
  const endLost = createLostRunEnder(deps);
  const hold = maintenanceHold(deps);
  const claimAll = createClaimer(deps, owner, runs, remote);

  async function lookAtQueue(stop: AbortSignal): Promise<number> {
    // All are read before the list, because a task's end is stored before it leaves `runs`.
    const [guard, runners] = await Promise.all([
      deps.kv.get(rowKeys.dispatcherClaims()),
      listRunners(deps.kv),
    ]);
    const running = runs.ids();
    const open = await listOpenTasks(deps.kv);
    remote.follow(open, runners, (runner) => hasTestFor(deps.kv, runner));
    const active = open.filter(({ id, status }) => isActive(status) && !running.has(id));
    const onRunners = active.filter(runnerOwner);
    const elsewhere = active.filter((task) => !runnerOwner(task));
    const waits = [
      await endDead(elsewhere),
      await endLost(onRunners, runners),
      await claimAll(open, guard.versionstamp, stop),
      // No other event says when its time has passed.
      await hold.waitMs() || WHEN_WOKEN,
    ];
    return Math.min(...waits);
  }

  const loop = startLoop(deps, {
    name: "dispatcher",
    wokenBy: shared ? rowKeys.tasksWake() : undefined,
    step: lookAtQueue,
    stepMsMax: STEP_MS_MAX,
    sleepMsMax: WHEN_WOKEN,
    everyMs: shared ? SHARED_EVERY_MS : 0,
    retryMs: RETRY_MS,
  });

  return {
    wake: loop.wake,
    get running() {
      return runs.size;
    },
    runningIds: () => [...runs.ids()],
    async stop(drainMs) {
      remote.close();
      await runs.drain(drainMs, loop.stop());
    },
  };
}
