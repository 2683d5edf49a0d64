import type { Deps } from "@/lib/access/deps.ts";
import { doDue, startJobs } from "@/lib/jobs/engine.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { type RemoteCommit, scheduleWorkers } from "@/lib/triggers/schedules/fire.ts";
import { putFiring } from "@/lib/triggers/schedules/firing.ts";
import { startScheduler } from "@/lib/triggers/schedules/loop.ts";
import type { ScheduleRow } from "@/lib/triggers/schedules/schema.ts";
import { until } from "@/tests/support/basics/until.ts";
import type { World } from "./world.ts";

const noRepository: RemoteCommit = () => Promise.reject(new Error("no repository is asked here"));

/** Whether everything that is due was processed, and its results are stored. */
export async function isSettled({ kv, clock }: World): Promise<boolean> {
  const now = clock.now().toISOString();
  for await (const { key } of kv.list({ prefix: rowKeys.schedulesDue() })) {
    if (key[1] as string <= now) return false;
  }
  for (const { kind } of scheduleWorkers(() => noRepository)) {
    for await (const _ of kv.list({ prefix: rowKeys.jobsOfKind(kind.name) })) return false;
  }
  return true;
}

/** Starts what takes the times of schedules and starts their tasks, as one of several servers. */
export function startSchedules(deps: Deps, remoteCommit = noRepository): { stop(): Promise<void> } {
  const loops = [
    startScheduler(deps),
    startJobs(deps, scheduleWorkers(() => remoteCommit), { shared: true }),
  ];
  return { stop: async () => void await Promise.all(loops.map((loop) => loop.stop())) };
}

/** Starts what a schedule is for, as at one of its times. */
export async function fireSchedule(deps: Deps, row: ScheduleRow): Promise<void> {
  const op = deps.kv.atomic();
  putFiring(op, deps, row);
  await op.commit();
  await doFirings(deps);
}

/** Starts what schedules are for whose times were taken. */
export async function doFirings(deps: Deps, remoteCommit = noRepository): Promise<void> {
  for (const worker of scheduleWorkers(() => remoteCommit)) await doDue(deps, worker);
}

/** Notifies the schedulers that the clock was moved, because they cannot know. */
export const ring = ({ kv }: World) => kv.set(rowKeys.schedulerWake(), crypto.randomUUID());

/**
 * Starts a scheduler, and moves the clock to `time`. Waits until everything that is due then is
 * settled.
 */
export async function schedule(
  world: World,
  time: string | Date,
  remoteCommit = noRepository,
): Promise<void> {
  const scheduler = startSchedules(world.deps, remoteCommit);
  try {
    world.clock.set(time);
    await ring(world);
    await until(() => isSettled(world));
  } finally {
    await scheduler.stop();
  }
}
