import { hostsJobs } from "@/lib/hosts/outbox.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import type { OnAttempt } from "@/lib/jobs/lane.ts";
import { putJob } from "@/lib/jobs/put.ts";
import { type AnyWorker, worker } from "@/lib/jobs/worker.ts";
import type { World } from "./world.ts";

/** Puts work of the web project, as the end of a task does. */
export async function putHosts(world: World, task_id: number, at?: Date): Promise<void> {
  const op = world.kv.atomic();
  putJob(op, world.deps, hostsJobs, { project_id: world.web.id, task_id, after: 0 }, at);
  await op.commit();
}

/** Puts such work and lets it fail until it is set aside. Returns its id for clients. */
export async function setAside(
  world: World,
  { task = 7, error = new Error("no space"), onAttempt }: {
    task?: number;
    error?: Error;
    onAttempt?: OnAttempt;
  } = {},
): Promise<string> {
  await putHosts(world, task);
  const deps = { ...world.deps, log() {} };
  await doDue(deps, hostsWorkerThat(() => Promise.reject(error)), { onAttempt });
  return `hosts-${task}`;
}

/** Returns a worker of the same work that does something else. */
export const hostsWorkerThat = (run: () => Promise<void>): AnyWorker<World["deps"]> =>
  worker({ kind: hostsJobs, attempts: 2, waitsMs: [0], limitMs: 60_000, parallel: 2, run });
