import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../kv/keys.ts";
import { listOpenTasks } from "../../tasks/open_tasks.ts";
import { isActive, isQueued } from "../../tasks/status.ts";
import { readLastBackup } from "../health/last_backup.ts";
import type { Metrics } from "./metrics.ts";

/** Maximum number of counted alerts. A higher number is reported as this one. */
const COUNT_MAX = 10_000;

/** Reads the store, and sets the gauges of the current state. */
export async function measure({ kv, clock, config }: Deps, metrics: Metrics): Promise<void> {
  const now = clock.now().getTime();
  const open = await listOpenTasks(kv);
  const queued = open.filter(({ status }) => isQueued(status));
  metrics.queued.set(queued.length);
  metrics.running.set(open.filter(({ status }) => isActive(status)).length);
  metrics.unconfirmed.set(open.filter(({ status }) => status === "waiting_confirmation").length);
  metrics.queueWait.set(secondsSince(now, queued[0]?.created));
  metrics.scheduleLag.set(secondsSince(now, await firstTime(kv, rowKeys.schedulesDue())));
  metrics.alertLag.set(secondsSince(now, await firstTime(kv, rowKeys.alertsDue())));
  metrics.alertsQueued.set(await count(kv, rowKeys.alertsDue()));
  metrics.storeLatency.set({ operation: "read" }, await timed(() => kv.get(rowKeys.probe())));
  metrics.storeLatency.set({ operation: "write" }, await timed(() => kv.set(rowKeys.probe(), now)));
  const backup = await readLastBackup(config.dataDir);
  metrics.lastBackup.set(backup ? Date.parse(backup.at) / 1000 : 0);
  metrics.memory.set(Deno.memoryUsage().rss);
  metrics.started.set(performance.timeOrigin / 1000);
}

/** Returns the time in the first key below `prefix`, which is due next or overdue longest. */
export async function firstTime(kv: Deno.Kv, prefix: Deno.KvKey): Promise<string | undefined> {
  for await (const { key } of kv.list({ prefix }, { limit: 1 })) return key[1] as string;
}

/** Returns the seconds since a time; 0 if it is in the future or missing. */
export const secondsSince = (now: number, time: string | undefined): number =>
  time === undefined ? 0 : Math.max(0, now - Date.parse(time)) / 1000;

async function count(kv: Deno.Kv, prefix: Deno.KvKey): Promise<number> {
  let found = 0;
  for await (const _ of kv.list({ prefix }, { limit: COUNT_MAX, batchSize: 500 })) found++;
  return found;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
