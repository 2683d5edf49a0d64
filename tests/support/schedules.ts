import { rowKeys } from "@/lib/store/keys.ts";
import type { RemoteCommit } from "@/lib/triggers/schedules/fire.ts";
import { startScheduler } from "@/lib/triggers/schedules/loop.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";

export const noRepository: RemoteCommit = () =>
  Promise.reject(new Error("no repository is asked here"));

/** Whether everything that is due was processed, and its results are stored. */
export async function isSettled({ kv, clock }: World): Promise<boolean> {
  const now = clock.now().toISOString();
  for await (const { key } of kv.list({ prefix: rowKeys.schedulesDue() })) {
    if (key[3] === "unfinished" || key[1] as string <= now) return false;
  }
  return true;
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
  const scheduler = startScheduler(world.deps, { remoteCommit });
  try {
    world.clock.set(time);
    await ring(world);
    await until(() => isSettled(world));
  } finally {
    await scheduler.stop();
  }
}
