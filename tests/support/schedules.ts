import { rowKeys } from "@/lib/kv/keys.ts";
import type { RemoteCommit } from "@/lib/triggers/schedules/fire.ts";
import { startScheduler } from "@/lib/triggers/schedules/loop.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";

export const noRepository: RemoteCommit = () =>
  Promise.reject(new Error("no repository is asked here"));

/** Whether all that is due was taken, and what came of it is stored. */
export async function isSettled({ kv, clock }: World): Promise<boolean> {
  const now = clock.now().toISOString();
  for await (const { key } of kv.list({ prefix: rowKeys.schedulesDue() })) {
    if (key[3] === "unfinished" || key[1] as string <= now) return false;
  }
  return true;
}

/** Tells the schedulers that the clock was moved: they cannot know. */
export const ring = ({ kv }: World) => kv.set(rowKeys.schedulerWake(), crypto.randomUUID());

/** A scheduler begins, then the clock comes to `time`: until what is due then is settled. */
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
