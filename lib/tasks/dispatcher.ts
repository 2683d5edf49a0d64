import { linkedAbort } from "../background/abort.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { recordEvent } from "../events/record.ts";
import type { RunEnvironment } from "../execution/runner.ts";
import { keys } from "../kv/keys.ts";
import { onChange } from "../kv/watch.ts";
import { describeError } from "../log.ts";
import type { ProjectRow } from "../projects/schema.ts";
import { systemActor, taskChanged, taskEvent } from "./changes.ts";
import { executeTask } from "./execute.ts";
import { interruptTask } from "./interrupt.ts";
import { LEASE_MS, listOpenTasks, renewLease, setTask } from "./repository.ts";
import type { OpenTask, TaskRow } from "./schema.ts";
import { isActive, isQueued, mayBecome } from "./status.ts";

export interface DispatcherOptions {
  environment: RunEnvironment;
  onEnd(task: TaskRow): Promise<void>;
  /** Whether other servers use the same store: then their claims and leases are respected. */
  shared: boolean;
}

export interface Dispatcher {
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
        setTimeout(wake, 1_000);
      }
    }
  }

  async function claimStartable() {
    // Both before the list, never after: a run that ends has stored its end before it is let go.
    const guard = await deps.kv.get(keys.dispatcherClaims());
    const running = new Set(runs.keys());
    const open = await listOpenTasks(deps.kv);
    await interruptDead(open.filter(({ id, status }) => isActive(status) && !running.has(id)));
    let stamp = guard.versionstamp;
    const chosen = startable(open, {
      free: freePlaces(),
      projectLimit: await projectLimits(deps.kv, open),
    });
    for (const task of chosen) {
      const lease = { owner, until: deps.clock.now().getTime() + LEASE_MS };
      const claimed = await claim(deps, task, lease, stamp);
      if (!claimed) {
        wanted = true; // Somebody was faster, here or on another server: look again.
        return;
      }
      stamp = claimed.versionstamp;
      run(claimed.task);
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
      const reason = { key: lost ? "errors.run.internal" : "errors.run.interrupted" };
      await interruptTask(deps, task, reason, options.onEnd);
      wanted = true; // Its place is free: look again.
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

interface Limits {
  /** Places left on this server. */
  free: number;
  /** By project; 0 or missing means unlimited. */
  projectLimit: Map<number, number>;
}

/** The queued tasks that may start now, oldest first. A blocked one never holds up the others. */
export function startable(open: OpenTask[], { free, projectLimit }: Limits): OpenTask[] {
  const inProject = new Map<number, number>();
  const busyTemplates = new Set<string>();
  const templateOf = (task: OpenTask) => `${task.project_id}/${task.template_id}`;
  const count = (task: OpenTask) => {
    inProject.set(task.project_id, (inProject.get(task.project_id) ?? 0) + 1);
    if (!task.allow_parallel) busyTemplates.add(templateOf(task));
  };
  open.filter(({ status }) => isActive(status)).forEach(count);
  const chosen: OpenTask[] = [];
  for (const task of open) {
    if (chosen.length >= free) break;
    if (!isQueued(task.status)) continue;
    const limit = projectLimit.get(task.project_id) ?? 0;
    if (limit > 0 && (inProject.get(task.project_id) ?? 0) >= limit) continue;
    if (!task.allow_parallel && busyTemplates.has(templateOf(task))) continue;
    chosen.push(task);
    count(task);
  }
  return chosen;
}

async function projectLimits(kv: Deno.Kv, open: OpenTask[]): Promise<Map<number, number>> {
  const queued = open.filter(({ status }) => isQueued(status));
  const ids = [...new Set(queued.map(({ project_id }) => project_id))];
  const rows = await Promise.all(ids.map((id) => kv.get<ProjectRow>(keys.project(id))));
  return new Map(rows.map(({ value }, n) => [ids[n], value?.max_parallel_tasks ?? 0]));
}

/** Makes the task this server's own; null when it, or any other claim, moved in between. */
async function claim(
  { kv, clock }: Deps,
  open: OpenTask,
  lease: { owner: string; until: number },
  guardStamp: string | null,
): Promise<{ task: TaskRow; versionstamp: string } | null> {
  const entry = await kv.get<TaskRow>(keys.task(open.project_id, open.id));
  if (!entry.value || !mayBecome(entry.value.status, "starting")) return null;
  const task: TaskRow = { ...entry.value, status: "starting", start: clock.now().toISOString() };
  const op = kv.atomic();
  await setTask(kv, op, entry, task);
  recordEvent(op, { clock }, systemActor(task), taskEvent(task, "starting"));
  const committed = await op
    .check({ key: keys.dispatcherClaims(), versionstamp: guardStamp })
    .set(keys.openTask(task.id), { ...open, status: "starting", lease })
    .set(keys.dispatcherClaims(), task.id)
    .commit();
  return committed.ok ? { task, versionstamp: committed.versionstamp } : null;
}
