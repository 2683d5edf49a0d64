import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { inGroups } from "../../base/groups.ts";
import { sleep } from "../../base/time/pause.ts";
import { progressLog } from "../../base/progress_log.ts";
import { periodicKind } from "../../jobs/kind.ts";
import { worker } from "../../jobs/worker.ts";
import { rowKeys } from "../../store/keys.ts";
import { FULL } from "../../store/rows/write_all.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import { listProjectRows } from "../../model/projects.ts";
import { activityKeys } from "../../events/activity.ts";
import type { EventRow } from "../../events/schema.ts";
import { tasksGone } from "../../tasks/changes.ts";
import { removeOldTasks } from "../tasks.ts";
import { sweepCounts } from "../../tasks/trends/counters.ts";
import { cutoff, expiredTasks, limitsOf } from "./expired.ts";
import { noteRemoval } from "./progress.ts";
import { isShared } from "../../base/settings/config.ts";
import { sweepRunCounts } from "../../workflows/runs/trends.ts";
import { expireRuns } from "../../workflows/runs/expire.ts";
import { isMuchFree } from "../../store/file/store_file.ts";
import { sweepOrphans } from "../projects/orphans.ts";

/** Numbers of rows that one sweep removed. */
interface Swept {
  tasks: number;
  /** Runs of workflows. */
  runs: number;
  events: number;
}

/** Maximum number of events in a commit. Small, because other work has priority. */
const EVENTS_PER_COMMIT = 100;
const PAUSE_MS = 20;

/** Tasks removed between two pauses. */
const TASKS_PER_TURN = 50;

/**
 * Removes all expired history, a little at a time. Throws after the others the first failure of a
 * project.
 */
export async function sweepPast(deps: Deps, stop?: AbortSignal): Promise<Swept> {
  const swept: Swept = { tasks: 0, runs: 0, events: 0 };
  const logProgress = progressLog(deps.log, "past_sweeping");
  const failures: unknown[] = [];
  for (const project of await listProjectRows(deps.kv)) {
    if (stop?.aborted) break;
    if (project.deleting) continue;
    await sweepProject(deps, project, { swept, logProgress, stop })
      .catch((error) => failures.push(error));
  }
  swept.events += await sweepEvents(deps, 0, stop);
  if (swept.tasks > 0) noteRemoval(deps, { project: null, tasks: swept.tasks });
  if (failures.length > 0) throw failures[0];
  return swept;
}

interface Sweep {
  swept: Swept;
  logProgress: ReturnType<typeof progressLog>;
  stop?: AbortSignal;
}

async function sweepProject(
  deps: Deps,
  project: ProjectRow,
  { swept, logProgress, stop }: Sweep,
): Promise<void> {
  const { kv, clock, config } = deps;
  const limits = limitsOf(config.retention, project);
  const before = swept.tasks;
  const expired = expiredTasks(kv, project.id, limits, clock.now());
  for await (const tasks of inGroups(expired, TASKS_PER_TURN)) {
    if (stop?.aborted) break;
    const since = performance.now();
    // Without a limit of their own, events about tasks would stay for good.
    const events = limits.eventDays === 0;
    swept.tasks += await removeOldTasks(kv, tasks, { events });
    noteRemoval(deps, { project: project.name, tasks: swept.tasks });
    logProgress({ project: project.id, ...limits, ...swept });
    // Half of the time is left to others, however fast the disk is.
    await sleep(performance.now() - since);
  }
  if (swept.tasks > before) await tasksGone(deps, project.id);
  if (stop?.aborted) return;
  const { tasksPerTemplate: count, taskDays } = limits;
  const oldest = cutoff(clock.now(), taskDays);
  swept.runs += await expireRuns(kv, project.id, { count, oldest });
  swept.events += await sweepEvents(deps, project.id, stop);
  await sweepCounts(kv, project.id, clock.now());
  await sweepRunCounts(kv, project.id, clock.now());
}

async function sweepEvents(
  { kv, clock, config }: Deps,
  projectId: number,
  stop?: AbortSignal,
): Promise<number> {
  const oldest = cutoff(clock.now(), config.retention.eventDays);
  if (oldest === null) return 0;
  const selector = { prefix: rowKeys.events(projectId), end: rowKeys.event(projectId, oldest, "") };
  let count = 0;
  while (!stop?.aborted) {
    const op = kv.atomic();
    let found = 0;
    for await (
      const { key, value } of kv.list<EventRow>(selector, { limit: EVENTS_PER_COMMIT })
    ) {
      if (op.used > FULL) break;
      op.delete(key);
      for (const indexKey of activityKeys(key, value)) op.delete(indexKey);
      found++;
    }
    if (found === 0) break;
    await op.set(rowKeys.eventsStamp(), projectId).commit();
    count += found;
    await sleep(PAUSE_MS);
  }
  return count;
}

const HOUR_MS = 3_600_000;
/** The first sweep of a large history takes hours. */
const SWEEP_MS_MAX = 12 * HOUR_MS;

/** Removes orphans and expired history, soon after the start and then every hour. */
export const retentionWorker = worker<Record<never, never>, Deps>({
  kind: periodicKind("retention"),
  everyMs: HOUR_MS,
  attempts: Infinity,
  waitsMs: [60_000, HOUR_MS],
  limitMs: SWEEP_MS_MAX,
  parallel: 1,
  hold: maintenanceHold,
  async run(deps, { signal }) {
    await sweepOrphans(deps, signal);
    const swept = await sweepPast(deps, signal);
    if (swept.tasks + swept.runs + swept.events === 0) return;
    const isFree = !isShared(deps.config) && isMuchFree(deps.config.kv);
    // The next start then compacts the file.
    deps.log("info", "past_swept", { ...swept, compact_at_next_start: isFree });
  },
});
