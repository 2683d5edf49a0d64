import type { Deps } from "../deps.ts";
import { keys } from "../kv/keys.ts";
import { describeError } from "../log.ts";
import { fire, type Look } from "./fire.ts";
import type { DueRow } from "./schema.ts";
import { type Firing, takeDue } from "./take.ts";

export type SchedulerOptions = Pick<Look, "remoteCommit">;

export interface Scheduler {
  /** Takes nothing more, and waits for the runs that are being started. */
  stop(): Promise<void>;
}

/**
 * Longest sleep. A timer does not know of a clock that was set or a machine that slept, and on a
 * file, changes by another process are not heard of.
 */
const SLEEP_MS_MAX = 60_000;
const RETRY_MS = 1_000;
/** Repositories that are asked at once; others wait, and plain schedules go past them. */
const CHECKS_MAX = 8;
const BATCH = 100;

/**
 * Starts what is due at its time. It sleeps until the next time in `schedules_due`, and is woken
 * when that changes. Any number of servers may run one on the same store.
 */
export function startScheduler(deps: Deps, { remoteCommit }: SchedulerOptions): Scheduler {
  const { kv, clock, log } = deps;
  const startedAt = clock.now();
  const firings = new Set<Promise<void>>();
  const alarm = createAlarm();
  const closing = new AbortController();
  const look: Look = { remoteCommit, stop: closing.signal };
  const watcher = kv.watch([keys.schedulerWake()]).getReader();
  let checks = 0;

  async function work() {
    while (!closing.signal.aborted) {
      await alarm.wait(await round().catch(retry));
    }
  }

  /** Takes all that is due; answers how long nothing will be. */
  async function round(): Promise<number> {
    while (await takeBatch());
    const now = clock.now();
    const next = kv.list<DueRow>({
      prefix: keys.schedulesDue(),
      start: keys.schedulesDueUntil(after(now)),
    }, { limit: 1 });
    for await (const { key } of next) {
      return Math.min(SLEEP_MS_MAX, Date.parse(key[1] as string) - now.getTime());
    }
    return SLEEP_MS_MAX;
  }

  /** Whether there was something to take: there may be more. */
  async function takeBatch(): Promise<boolean> {
    const due = kv.list<DueRow>({
      prefix: keys.schedulesDue(),
      end: keys.schedulesDueUntil(after(clock.now())),
    }, { batchSize: BATCH });
    let taken = false;
    for await (const entry of due) {
      if (closing.signal.aborted) return false;
      if (entry.value.checks && checks >= CHECKS_MAX) continue; // woken when one of them is done
      try {
        const firing = await takeDue(deps, entry, startedAt);
        if (firing) follow(firing);
        taken = true;
      } catch (error) {
        // One that cannot be taken must not hold up those behind it.
        log("error", "schedule_not_taken", { schedule: entry.key[2], ...describeError(error) });
      }
    }
    return taken;
  }

  function follow(firing: Firing) {
    const slow = firing.row.repository_id !== null;
    if (slow) checks++;
    const done = fire(deps, firing, look)
      .catch((error) => log("error", "schedule_failed", describeError(error)))
      .finally(() => {
        firings.delete(done);
        if (slow && checks-- === CHECKS_MAX) alarm.ring();
      });
    firings.add(done);
  }

  function retry(error: unknown): number {
    log("error", "scheduler_failed", describeError(error));
    return RETRY_MS;
  }

  async function watch() {
    while (!(await watcher.read()).done) alarm.ring();
  }

  const working = work();
  const watching = watch().catch((error) => log("error", "wake_lost", describeError(error)));
  return {
    async stop() {
      closing.abort();
      alarm.ring();
      await watcher.cancel();
      await Promise.all([working, watching]);
      await Promise.all(firings);
    },
  };
}

/** The first moment that is not due yet. */
const after = (now: Date) => new Date(now.getTime() + 1).toISOString();

/** A sleep that can be ended, also by a ring that comes just before it. */
function createAlarm() {
  let rung = false;
  let wakeUp = () => {};
  return {
    ring() {
      rung = true;
      wakeUp();
    },
    async wait(ms: number) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
      wakeUp = () => {};
    },
  };
}
