import { watchClock } from "../../base/clock.ts";
import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { rowKeys } from "../../store/keys.ts";
import { startLoop } from "../../store/loop.ts";
import type { Store } from "../../store/store.ts";
import { describeError } from "../../base/log.ts";
import { type CommitCheck, fire } from "./fire.ts";
import type { DueRow } from "./schema.ts";
import { planAnew } from "./set_back.ts";
import { takeDue } from "./take.ts";
import type { Firing } from "./firing.ts";

type SchedulerOptions = Pick<CommitCheck, "remoteCommit">;

export interface Scheduler {
  readonly name: string;
  /** Stops taking due times, and waits until the started ones are finished. */
  stop(): Promise<void>;
}

/**
 * Repositories checked in parallel. Further ones wait, and schedules without a check overtake them.
 */
const CHECKS_MAX = 8;
const BATCH = 100;

/**
 * Starts tasks when they are due. It sleeps until the next time in `schedules_due`, and is woken
 * when that changes. Any number of servers may run one on the same store.
 */
export function startScheduler(all: Deps, { remoteCommit }: SchedulerOptions): Scheduler {
  const clock = watchClock(all.clock);
  const deps = { ...all, clock };
  const { kv, log } = deps;
  const hold = maintenanceHold(deps);
  let startedAt = clock.now();
  const firings = new Map<Promise<void>, Deno.KvKey>();
  let checks = 0;

  /** Takes everything that is due. Returns the milliseconds until the next time. */
  async function step(stop: AbortSignal, goesOn: () => void): Promise<number> {
    if (clock.isSetBack()) {
      startedAt = new Date(Math.min(startedAt.getTime(), clock.now().getTime()));
      await planAnew(deps, isOwn);
    }
    while (!await hold.waitMs() && await takeBatch(stop)) goesOn();
    return await untilNext(kv, clock.now());
  }

  /** Returns whether anything was taken. If so, there may be more. */
  async function takeBatch(stop: AbortSignal): Promise<boolean> {
    let taken = false;
    for await (const entry of listDue(kv, clock.now())) {
      if (stop.aborted) return false;
      if (isOwn(entry.key)) continue; // it takes longer than its lease, or the clock was set
      if (entry.value.checks && checks >= CHECKS_MAX) continue; // woken when a check ends
      try {
        const firing = await takeDue(deps, entry, startedAt);
        if (firing) follow(firing, { remoteCommit, stop });
        taken = true;
      } catch (error) {
        // A failing schedule must not delay those after it.
        log("error", "schedule_not_taken", { schedule: entry.key[2], ...describeError(error) });
      }
    }
    return taken;
  }

  function follow(firing: Firing, look: CommitCheck) {
    const slow = firing.row.repository_id !== null;
    if (slow) checks++;
    const done = fire(deps, firing, look)
      .catch((error) => log("error", "schedule_failed", describeError(error)))
      .finally(() => {
        firings.delete(done);
        if (slow && checks-- === CHECKS_MAX) loop.wake();
      });
    firings.set(done, firing.unfinished);
  }

  const isOwn = (key: Deno.KvKey) =>
    [...firings.values()].some((own) => own[1] === key[1] && own[2] === key[2]);

  const loop = startLoop(deps, {
    name: "scheduler",
    wokenBy: rowKeys.schedulerWake(),
    step,
    hold,
  });
  return {
    name: loop.name,
    async stop() {
      await loop.stop();
      await Promise.all(firings.keys());
    },
  };
}

/** Lists what is due now, oldest first. */
function listDue(kv: Store, now: Date): Deno.KvListIterator<DueRow> {
  const end = rowKeys.schedulesDueUntil(after(now));
  return kv.list({ prefix: rowKeys.schedulesDue(), end }, { batchSize: BATCH });
}

/** Milliseconds until the next time that is not due yet. */
async function untilNext(kv: Store, now: Date): Promise<number> {
  const start = rowKeys.schedulesDueUntil(after(now));
  for await (const { key } of kv.list({ prefix: rowKeys.schedulesDue(), start }, { limit: 1 })) {
    return Date.parse(key[1] as string) - now.getTime();
  }
  return Infinity;
}

/** The first moment that is not due yet. */
const after = (now: Date) => new Date(now.getTime() + 1).toISOString();
