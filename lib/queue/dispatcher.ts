import { linkedAbort } from "../base/abort.ts";
import type { Deps } from "../access/deps.ts";
import { AppError } from "../base/errors.ts";
import type { RunEnvironment } from "../execution/run/environment.ts";
import { keys } from "../kv/keys.ts";
import { onChange } from "../kv/watch.ts";
import { describeError } from "../base/log.ts";
import { taskChanged } from "../tasks/changes.ts";
import { claim } from "./claim.ts";
import { executeTask } from "./execute.ts";
import { interruptTask } from "./interrupt.ts";
import { LEASE_MS, listOpenTasks, mendOpenTask, renewLease } from "../tasks/repository.ts";
import type { OpenTask, TaskRow } from "../tasks/schema.ts";
import { readLimits, startable } from "./startable.ts";
import { isActive } from "../tasks/status.ts";

interface DispatcherOptions {
  environment: RunEnvironment;
  /** Whether other servers use the same store: then their claims and leases are respected. */
  shared: boolean;
}

interface Dispatcher {
  /** Looks at the queue now: a task came, ended, or may go on. */
  wake(): void;
  /** Claims nothing more, waits at most `drainMs` for what runs, then interrupts it. */
  stop(drainMs: number): Promise<void>;
  /** Tasks that this server runs now. */
  readonly running: number;
}

/** How often the leases of other servers are looked at, and how much one look counts at most. */
const LOOK_MS = 5_000;
const LOOK_COUNTS_MS_MAX = 10_000;

/** Another server's lease, and for how long it was seen unchanged. */
interface SeenLease {
  until: string;
  at: number;
  unchangedMs: number;
}

/** Before the queue is looked at again after something went wrong. */
const RETRY_MS = 1_000;

/** How often a task may fail to be claimed, as nothing in the store explains, before it is ended. */
const CLAIMS_MAX = 3;

/**
 * Starts tasks as soon as the limits allow, in the order they were queued. It sleeps until it is
 * woken; the only timer is for leases of servers that died.
 */
export function startDispatcher(deps: Deps, options: DispatcherOptions): Dispatcher {
  const owner = crypto.randomUUID();
  const runs = new Map<number, Promise<void>>();
  const closing = new AbortController();
  const interrupt = new AbortController();
  let wanted = false;
  let pass: Promise<void> | null = null;
  let leaseTimer: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** How often claiming a task has failed. */
  const failures = new Map<number, number>();
  /** By task. */
  let leases = new Map<number, SeenLease>();

  function wake() {
    wanted = true;
    pass ??= work().finally(() => {
      pass = null;
      // Woken between the last look and here: that wake must not be lost.
      if (wanted && !closing.signal.aborted) wake();
    });
  }

  async function work() {
    while (wanted && !closing.signal.aborted) {
      wanted = false;
      try {
        await claimStartable();
      } catch (error) {
        deps.log("error", "dispatcher_failed", describeError(error));
        retry();
      }
    }
  }

  function retry() {
    clearTimeout(retryTimer);
    retryTimer = setTimeout(wake, RETRY_MS);
  }

  async function claimStartable() {
    // Both before the list, never after: a run that ends has stored its end before it is let go.
    const guard = await deps.kv.get(keys.dispatcherClaims());
    const running = new Set(runs.keys());
    const open = await listOpenTasks(deps.kv);
    await interruptDead(open.filter(({ id, status }) => isActive(status) && !running.has(id)));
    await claimAll(inTurn(open), guard.versionstamp);
  }

  /** Oldest first; but what failed to be claimed takes no place from others. */
  function inTurn(open: OpenTask[]): OpenTask[] {
    const ids = new Set(open.map(({ id }) => id));
    for (const id of failures.keys()) if (!ids.has(id)) failures.delete(id);
    const failed = ({ id }: OpenTask) => failures.get(id) ?? 0;
    return open.toSorted((a, b) => failed(a) - failed(b));
  }

  async function claimAll(open: OpenTask[], guardStamp: string | null) {
    let stamp = guardStamp;
    for (const task of startable(open, await readLimits(deps.kv, open), freePlaces())) {
      const lease = { owner, until: deps.clock.now().getTime() + LEASE_MS };
      try {
        const claimed = await claim(deps, task, lease, stamp);
        if (!claimed) {
          await mendOpenTask(deps.kv, task);
          wanted = true; // Somebody was faster, here or on another server: look again.
          return;
        }
        stamp = claimed.versionstamp;
        run(claimed.task);
      } catch (error) {
        await claimFailed(task, error);
      }
    }
  }

  /** What goes wrong with one task must not hold up the others, nor be tried for ever. */
  async function claimFailed(task: OpenTask, error: unknown) {
    deps.log("error", "claim_failed", { task: task.id, ...describeError(error) });
    const count = (failures.get(task.id) ?? 0) + 1;
    failures.set(task.id, count);
    retry();
    if (count >= CLAIMS_MAX) await giveEnd(task, "errors.run.internal");
  }

  async function giveEnd(task: OpenTask, reason: string) {
    try {
      await interruptTask(deps, task, { key: reason });
      await mendOpenTask(deps.kv, task);
      wanted = true; // Its place is free: look again.
    } catch (error) {
      deps.log("error", "interrupt_failed", { task: task.id, ...describeError(error) });
      retry();
    }
  }

  function freePlaces(): number {
    const { maxParallelTasks } = deps.config;
    return maxParallelTasks === 0 ? Infinity : maxParallelTasks - runs.size;
  }

  function run(task: TaskRow) {
    taskChanged(deps, task);
    const giveUp = linkedAbort(interrupt.signal);
    const heartbeat = setInterval(async () => {
      const lease = { owner, until: deps.clock.now().getTime() + LEASE_MS };
      const kept = await renewLease(deps.kv, task.id, lease).catch(() => true);
      if (!kept) giveUp.abort(new AppError(409, "errors.run.lease_lost"));
    }, LEASE_MS / 3);
    const done = executeTask({ deps, ...options, giveUp: giveUp.signal }, task).finally(() => {
      clearInterval(heartbeat);
      giveUp.forget();
      runs.delete(task.id);
      wake();
    });
    runs.set(task.id, done);
  }

  /**
   * Ends tasks that nobody runs any more: their server is gone, or this one could not store their
   * end. While others run some, it looks again soon.
   */
  async function interruptDead(elsewhere: OpenTask[]) {
    const alive = new Map<number, SeenLease>();
    for (const task of elsewhere) {
      const lost = task.lease?.owner === owner;
      const seen = lost || !options.shared ? null : lookAt(task);
      if (seen && seen.unchangedMs < LEASE_MS) {
        alive.set(task.id, seen);
        continue;
      }
      await giveEnd(task, lost ? "errors.run.internal" : "errors.run.interrupted");
    }
    leases = alive;
    clearTimeout(leaseTimer);
    if (alive.size > 0) leaseTimer = setTimeout(wake, LOOK_MS);
  }

  /**
   * How another server's lease looks. Not what it says counts, but that it was not renewed for so
   * long while the store answered: clocks differ and are set, and when the store itself was away
   * nobody could renew.
   */
  function lookAt({ id, lease }: OpenTask): SeenLease | null {
    if (lease === null) return null;
    const at = deps.clock.ticks();
    const until = `${lease.owner} ${lease.until}`;
    const before = leases.get(id);
    if (before?.until !== until) return { until, at, unchangedMs: 0 };
    const passedMs = Math.min(at - before.at, LOOK_COUNTS_MS_MAX);
    return { until, at, unchangedMs: before.unchangedMs + passedMs };
  }

  const remote = options.shared ? onChange(deps, [keys.tasksWake()], wake) : null;
  wake();

  return {
    wake,
    get running() {
      return runs.size;
    },
    async stop(drainMs) {
      closing.abort();
      clearTimeout(leaseTimer);
      clearTimeout(retryTimer);
      await remote?.cancel();
      await pass;
      const timer = setTimeout(
        () => interrupt.abort(new AppError(409, "errors.run.shutdown")),
        drainMs,
      );
      await Promise.all(runs.values());
      clearTimeout(timer);
    },
  };
}
