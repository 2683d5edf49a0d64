import { watchClock } from "../../base/time/clock.ts";
import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { rowKeys } from "../../store/keys.ts";
import { type Loop, startLoop } from "../../store/loop.ts";
import type { Store } from "../../store/store.ts";
import { describeError } from "../../base/log.ts";
import type { DueRow } from "./schema.ts";
import { planAnew } from "./set_back.ts";
import { takeDue } from "./take.ts";

const BATCH = 100;

/**
 * Puts jobs for schedules whose time has come. It sleeps until the next time in `schedules_due`,
 * and is woken when that changes. Any number of servers may run one on the same store.
 */
export function startScheduler(all: Deps): Loop {
  const clock = watchClock(all.clock);
  const deps = { ...all, clock };
  const hold = maintenanceHold(deps);
  let startedAt = clock.now();

  /** Takes everything that is due. Returns the milliseconds until the next time. */
  async function step(stop: AbortSignal, goesOn: () => void): Promise<number> {
    if (clock.isSetBack()) {
      startedAt = new Date(Math.min(startedAt.getTime(), clock.now().getTime()));
      await planAnew(deps);
    }
    while (!await hold.waitMs() && await takeBatch(stop)) goesOn();
    return await untilNext(deps.kv, clock.now());
  }

  /** Returns whether anything was taken. If so, there may be more. */
  async function takeBatch(stop: AbortSignal): Promise<boolean> {
    let taken = false;
    for await (const entry of listDue(deps.kv, clock.now())) {
      if (stop.aborted) return false;
      try {
        await takeDue(deps, entry, startedAt);
        taken = true;
      } catch (error) {
        // A failing schedule must not delay those after it.
        const schedule = entry.key[2];
        deps.log("error", "schedule_not_taken", { schedule, ...describeError(error) });
      }
    }
    return taken;
  }

  return startLoop(deps, {
    name: "scheduler",
    wokenBy: rowKeys.schedulerWake(),
    step,
    hold,
  });
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
