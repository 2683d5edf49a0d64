import type { ProjectScope } from "../access/scope.ts";
import { sightStamps } from "../access/rules/read.ts";
import type { Sight } from "../access/sight.ts";
import { getTasks } from "../model/tasks.ts";
import { cachedWhile } from "../store/cached.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { listHistory } from "../tasks/history/history.ts";
import type { TaskRow } from "../model/task_row.ts";
import {
  type HostRunRow,
  type ProjectHostRow,
  SUMMARIES_MAX,
  summaryOf,
  withSummary,
} from "./rows.ts";
import { newestRuns } from "./store.ts";

/** Number of hosts that are looked at for a reader who does not see all tasks. */
const HOSTS_MAX = 10_000;

/** Number of the latest tasks that such a reader sees, on whose hosts further runs are searched. */
const TASKS_MAX = 500;

/** Number of a host's tasks that are searched for those that a reader sees. */
const RUNS_MAX = 1_000;

/** Hosts as a reader sees them, in order of their names in keys. */
interface SeenHosts {
  hosts: ProjectHostRow[];
  /** Whether all hosts of the project were looked at. */
  isAll: boolean;
}

/**
 * Returns the hosts that were reached by tasks that the reader sees, with these tasks alone. A host
 * that other tasks alone have reached is not among them. Read once per change for each reader who
 * does not see all tasks.
 */
export const listSeenHosts = (
  { deps: { kv }, projectId }: ProjectScope,
  sight: Sight,
): Promise<SeenHosts> =>
  cachedWhile(
    kv,
    [rowKeys.hostsGuard(projectId), ...sightStamps(projectId)],
    `hosts of ${projectId} seen by ${sight.readers}`,
    () => readSeenHosts(kv, projectId, sight),
  );

async function readSeenHosts(kv: Store, projectId: number, sight: Sight): Promise<SeenHosts> {
  const entries = kv.list<ProjectHostRow>({ prefix: rowKeys.projectHosts(projectId) }, {
    limit: HOSTS_MAX + 1,
    batchSize: 500,
  });
  const rows = await Array.fromAsync(entries, ({ value }) => value);
  const all = rows.slice(0, HOSTS_MAX);
  const marked = all.flatMap(({ marks, last_good }) =>
    [...marks, ...last_good ? [last_good] : []].map(({ task }) => task)
  );
  const seen = await seenOfTasks(kv, sight, projectId, marked);
  const found = new Map(all.map((row) => [row.name, withSeen(row, (id) => seen.has(id))]));
  await addOlderRuns(kv, sight, projectId, found);
  return {
    hosts: [...found.values()].filter(({ marks }) => marks.length > 0),
    isAll: rows.length <= HOSTS_MAX,
  };
}

/** Returns those of the tasks that the reader sees, by id. */
export async function seenOfTasks(
  kv: Store,
  sight: Sight,
  projectId: number,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, TaskRow>> {
  const tasks = await getTasks(kv, [...new Set(ids)].map((id) => [projectId, id]));
  return new Map(
    tasks.filter((task) => sight.maySeeTask(task)).map((task) => [task.id, task]),
  );
}

/** Returns a host without the tasks that the reader does not see. */
function withSeen(row: ProjectHostRow, isSeen: (task: number) => boolean): ProjectHostRow {
  const marks = row.marks.filter(({ task }) => isSeen(task));
  const good = row.last_good && isSeen(row.last_good.task) ? row.last_good : null;
  return { ...row, marks, last_good: good ?? marks.find(({ good }) => good) ?? null };
}

/**
 * Adds to hosts the runs of the reader's latest tasks, which may be older than the latest tasks of
 * all on a host.
 */
async function addOlderRuns(
  kv: Store,
  sight: Sight,
  projectId: number,
  found: Map<string, ProjectHostRow>,
): Promise<void> {
  const userId = sight.seesAllTasks ? undefined : sight.userId ?? undefined;
  const { tasks } = await listHistory(kv, projectId, { userId, limit: TASKS_MAX }, sight);
  const seen = tasks.filter((task) => sight.maySeeTask(task));
  for (const { id } of seen) {
    const parts = kv.list<string[]>({ prefix: rowKeys.runHosts(projectId, id) });
    const names = (await Array.fromAsync(parts, ({ value }) => value)).flat().filter((name) =>
      found.has(name) && !found.get(name)!.marks.some(({ task }) => task === id)
    );
    const keys = names.map((name) => rowKeys.hostRun(projectId, name, id));
    for (const [n, { value }] of (await getAll<HostRunRow>(kv, keys)).entries()) {
      if (value) found.set(names[n], withSummary(found.get(names[n])!, summaryOf(value)));
    }
  }
}

/** Returns a host as the reader sees it; null if no task that they see has reached it. */
export async function seenHost(
  { deps: { kv }, projectId }: ProjectScope,
  sight: Sight,
  row: ProjectHostRow,
): Promise<ProjectHostRow | null> {
  if (sight.seesAll) return row;
  const runs = await seenRuns(kv, sight, projectId, row.name, { limit: SUMMARIES_MAX });
  if (runs.length === 0) return null;
  const seen = { ...row, marks: [], last_good: null };
  return runs.reduce((host: ProjectHostRow, run) => withSummary(host, summaryOf(run)), seen);
}

/** Returns the runs of a host that the reader sees, newest first. */
export async function seenRuns(
  kv: Store,
  sight: Sight,
  projectId: number,
  name: string,
  { limit, before }: { limit: number; before?: number },
): Promise<HostRunRow[]> {
  if (sight.seesAll) return await newestRuns(kv, projectId, name, { limit, before });
  const found: HostRunRow[] = [];
  for (let looked = 0, last = before; looked < RUNS_MAX;) {
    const rows = await newestRuns(kv, projectId, name, { limit: RUNS_READ, before: last });
    const seen = await seenOfTasks(kv, sight, projectId, rows.map(({ task }) => task));
    found.push(...rows.filter(({ task }) => seen.has(task)));
    if (rows.length < RUNS_READ || found.length >= limit) break;
    looked += rows.length;
    last = rows.at(-1)!.task;
  }
  return found.slice(0, limit);
}

/** Number of a host's runs that are read together. */
const RUNS_READ = 100;
