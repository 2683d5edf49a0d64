import process from "node:process";
import type { Gauge } from "prom-client";
import { phaseOf, readMaintenance } from "../../access/maintenance.ts";
import { type Config, isShared } from "../../base/settings/config.ts";
import { inTime } from "../../base/time/in_time.ts";
import { describeError } from "../../base/log.ts";
import { readAuditLags } from "../../events/cursors.ts";
import { rowKeys } from "../../store/keys.ts";
import { stillLoops } from "../../store/loop_watch.ts";
import type { Store } from "../../store/store.ts";
import { listOpenTasks } from "../../tasks/open_tasks.ts";
import { isFinished, isQueued, STATUSES } from "../../model/status.ts";
import { readBackupReport } from "../../maintenance/server_backup/backup_report.ts";
import { readLastBackup } from "../../maintenance/server_backup/last_backup.ts";
import { diskSpace } from "../../base/machine/disk_space.ts";
import { onDisk, storeSize } from "../checks/disk.ts";
import { measureJobs } from "./jobs.ts";
import type { WorkDeps } from "../jobs/service.ts";
import { type Metrics, RUNNER_MEASURES, type RunnerMeasure } from "./metrics.ts";
import type { Deps } from "../../access/deps.ts";
import { isOnline, type RunnerSeen, seenRunners } from "../../runners/presence.ts";
import { listRunners } from "../../runners/repository.ts";
import { isExpected, type RunnerRow } from "../../runners/rows.ts";

/** Maximum number of counted alerts. A higher number is reported as this one. */
const COUNT_MAX = 10_000;
/** Time of the backup of a server that has none. */
const NEVER = "1970-01-01T00:00:00Z";

/** Dependencies of a server that measures itself. */
export interface MeasuredDeps extends WorkDeps {
  metrics: Metrics;
  /** Returns the number of tasks that this server runs. */
  running(): number;
}

/** Sets the gauges of the current state. Those of a store that does not respond have no value. */
export async function measure(deps: MeasuredDeps): Promise<void> {
  const { metrics, config, log } = deps;
  measureProcess(deps);
  try {
    await inTime(measureStore(deps));
    metrics.storeUp.set(1);
  } catch (error) {
    log("warn", "metrics_incomplete", describeError(error));
    metrics.storeUp.set(0);
    const { tasks, oldestWait, scheduleLag, alertLag, alertsQueued } = metrics;
    const { runners, runnerSeen, hostsDrifted, auditLag } = metrics;
    const reset = [
      ...[tasks, runners, runnerSeen, hostsDrifted, auditLag],
      ...Object.values(metrics.jobs),
    ];
    for (const gauge of reset) gauge.reset();
    const { maintenance } = metrics;
    for (const gauge of [oldestWait, scheduleLag, alertLag, alertsQueued, maintenance]) {
      gauge.remove();
    }
  }
  await measureDisk(metrics, config);
}

function measureProcess({ kv, metrics, config, ansibleVersion, running }: MeasuredDeps): void {
  const ansible = /\[core ([^\][]+)\]/.exec(ansibleVersion ?? "")?.[1] ?? "";
  metrics.build.set({ version: config.version, deno: Deno.version.deno, ansible }, 1);
  metrics.loopStill.reset();
  for (const { name: loop, ms } of stillLoops(kv)) metrics.loopStill.set({ loop }, ms / 1000);
  metrics.slotsUsed.set(running());
  metrics.slotsLimit.set(config.maxParallelTasks || Infinity);
  metrics.memory.set(Deno.memoryUsage().rss);
  const { user, system } = process.cpuUsage();
  metrics.cpu.reset();
  metrics.cpu.inc((user + system) / 1e6);
  metrics.started.set(performance.timeOrigin / 1000);
}

/** Every unfinished task is in the list, whose length `requireRoom` bounds. No history is read. */
async function measureStore(deps: MeasuredDeps): Promise<void> {
  const { kv, clock, metrics } = deps;
  const now = clock.now().getTime();
  const open = await listOpenTasks(kv);
  const queued = open.filter(({ status }) => isQueued(status));
  for (const status of STATUSES.filter((status) => !isFinished(status))) {
    metrics.tasks.set({ status }, open.filter((task) => task.status === status).length);
  }
  metrics.oldestWait.set(secondsSince(now, queued[0]?.created));
  const isHeld = phaseOf(await readMaintenance(kv), clock.now()) === "on";
  metrics.maintenance.set(Number(isHeld));
  metrics.scheduleLag.set(
    isHeld ? 0 : secondsSince(now, await firstTime(kv, rowKeys.schedulesDue())),
  );
  metrics.alertLag.set(secondsSince(now, await firstAlert(kv)));
  metrics.auditLag.reset();
  for (const { sink: receiver, oldest } of await readAuditLags(kv)) {
    metrics.auditLag.set({ receiver }, secondsSince(now, oldest ?? undefined));
  }
  await measureRunners({ kv, clock }, metrics);
  await measureDrift(kv, metrics);
  await measureJobs(deps, metrics);
  const alerts = ALERT_JOBS.map((kind) => count(kv, rowKeys.jobsDueOf(kind)));
  metrics.alertsQueued.set((await Promise.all(alerts)).reduce((sum, one) => sum + one));
  // Fails if the store takes no writes.
  await kv.set(rowKeys.probe(), now);
}

/** Maximum number of templates whose drift is measured. */
const TEMPLATES_MAX = 200;

async function measureDrift(kv: Store, { hostsDrifted }: Metrics): Promise<void> {
  hostsDrifted.reset();
  const summaries = kv.list<{ counts: { would_change: number } }>(
    { prefix: rowKeys.everyDriftSummary() },
    { limit: TEMPLATES_MAX, batchSize: 100 },
  );
  for await (const { key: [, project, template], value } of summaries) {
    const labels = { project: String(project), template: String(template) };
    hostsDrifted.set(labels, value.counts.would_change);
  }
}

async function measureDisk(metrics: Metrics, { kv, dataDir }: Config): Promise<void> {
  // The service of a shared store has a size and backups of its own.
  const isFile = !isShared({ kv });
  const [bytes, space, backup, report] = await Promise.all([
    isFile ? onDisk(storeSize(kv)) : null,
    onDisk(diskSpace(dataDir)),
    onDisk(readLastBackup(dataDir)),
    onDisk(readBackupReport(dataDir)),
  ]);
  for (const [step, { at, error }] of Object.entries(report ?? {})) {
    metrics.backupStepTime.set({ step }, Date.parse(at) / 1000);
    metrics.backupStepFailed.set({ step }, Number(error !== null));
  }
  setOrRemove(metrics.lastBackup, isFile ? Date.parse(backup?.at ?? NEVER) / 1000 : null);
  setOrRemove(metrics.storeBytes, bytes);
  setOrRemove(metrics.diskFree, space?.free ?? null);
  setOrRemove(metrics.diskSize, space?.size ?? null);
}

/** Sets the value. An unknown one is missing, because 0 would be wrong. */
function setOrRemove(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}

/** Returns the time in the first key below `prefix`, which is due next or overdue longest. */
export async function firstTime(kv: Store, prefix: Deno.KvKey): Promise<string | undefined> {
  for await (const { key } of kv.list({ prefix }, { limit: 1 })) {
    return key[prefix.length] as string;
  }
}

/** Kinds of jobs that alerts pass on their way. */
const ALERT_JOBS = ["alerts", "alert_messages"];

/** Returns the time at which the first alert that is not sent yet is due. */
export async function firstAlert(kv: Store): Promise<string | undefined> {
  const times = ALERT_JOBS.map((kind) => firstTime(kv, rowKeys.jobsDueOf(kind)));
  return (await Promise.all(times)).filter((time) => time !== undefined).toSorted()[0];
}

/** Returns the seconds since a time; 0 if it is in the future or missing. */
export const secondsSince = (now: number, time: string | undefined): number =>
  time === undefined ? 0 : Math.max(0, now - Date.parse(time)) / 1000;

async function count(kv: Store, prefix: Deno.KvKey): Promise<number> {
  let found = 0;
  for await (const _ of kv.list({ prefix }, { limit: COUNT_MAX, batchSize: 500 })) found++;
  return found;
}

/** Sets the gauges of runners. */
async function measureRunners(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  { runners: counts, runnerSeen }: Pick<Metrics, "runners" | "runnerSeen">,
): Promise<void> {
  const [runners, seen] = await Promise.all([listRunners(kv), seenRunners(kv)]);
  const now = clock.now();
  const states = runners.map((runner) => measureOf(runner, seen.get(runner.id), now));
  for (const state of RUNNER_MEASURES) {
    counts.set({ state }, states.filter((one) => one === state).length);
  }
  runnerSeen.reset();
  for (const runner of runners) {
    const at = seen.get(runner.id)?.at;
    if (at === undefined || !isExpected(runner)) continue;
    const { id, name, project_id } = runner;
    runnerSeen.set({ runner: id, name, project: project_id ?? 0 }, at / 1000);
  }
}

function measureOf(row: RunnerRow, seen: RunnerSeen | undefined, now: Date): RunnerMeasure {
  if (row.token_hash === null) return "unregistered";
  if (!isOnline(seen, now)) return "silent";
  return row.state;
}
