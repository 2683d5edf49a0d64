import { getProjectRows, listProjectRows } from "../model/projects.ts";
import { notFound } from "../base/errors.ts";
import { digest } from "../base/version.ts";
import { follow } from "../access/follow.ts";
import { sightOf } from "../access/sight.ts";
import { merge } from "../base/merge.ts";
import { sleep } from "../base/time/pause.ts";
import { rowKeys } from "../store/keys.ts";
import { watchRows } from "../store/watch.ts";
import type { RunnerView } from "../runners/schema.ts";
import { listOwnRunners, listServingRunners, type RunnersScope } from "../runners/service.ts";
import { listHistory } from "../tasks/history/history.ts";
import { listOpenTasks } from "../tasks/open_tasks.ts";
import type { TaskView } from "../tasks/schema.ts";
import { isActive } from "../model/status.ts";
import { taskViews } from "../tasks/view.ts";

/** A runner with the number of tasks that it is running. */
export type BusyRunner = RunnerView & { running: number };

/** The runners of a project, or all for an admin, and those of the server that serve it. */
export interface RunnerLists {
  own: BusyRunner[];
  serving: BusyRunner[];
  /** Changes with anything that the lists show. */
  version: string;
}

/** Reads both lists. */
export async function readRunners(scope: RunnersScope): Promise<RunnerLists> {
  const [own, serving, counts] = await Promise.all([
    listOwnRunners(scope),
    "projectId" in scope ? listServingRunners(scope) : [],
    countRunning(scope),
  ]);
  const withCount = (runner: RunnerView) => ({ ...runner, running: counts.get(runner.id) ?? 0 });
  const lists = { own: own.map(withCount), serving: serving.map(withCount) };
  return { ...lists, version: versionOf(lists) };
}

/** Ignores when runners were last seen, because pages keep that up to date themselves. */
const versionOf = (lists: Omit<RunnerLists, "version">): string =>
  digest(JSON.stringify(lists, (name, value) => name === "touched" ? undefined : value), 16)
    .replaceAll("-", "_");

/** Returns how many tasks each runner is running. */
async function countRunning({ deps: { kv } }: RunnersScope): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const { runner_id, status } of await listOpenTasks(kv)) {
    if (runner_id === undefined || !isActive(status)) continue;
    counts.set(runner_id, (counts.get(runner_id) ?? 0) + 1);
  }
  return counts;
}

/** Pause between two updates, because tasks may start in quick succession. */
const PAUSE_MS = 1_000;
/** Interval for noticing that a runner has become silent. */
const LOOK_MS = 15_000;

/**
 * Yields the version of the runners whenever it differs from `version` and from the last yielded
 * one.
 */
export function followRunners(
  scope: RunnersScope,
  version: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const rows = [rowKeys.runnersStamp(), rowKeys.tasksWake()];
  let sent = version;
  return follow({
    changes: merge<unknown>([watchRows(scope.deps, rows, signal), ticks(signal)]),
    async *read() {
      const { version } = await readRunners(scope);
      if (version !== sent) yield (sent = version);
    },
    pauseMs: PAUSE_MS,
  }, signal);
}

async function* ticks(signal: AbortSignal): AsyncGenerator<void> {
  while (!signal.aborted) {
    await sleep(LOOK_MS, { signal });
    yield;
  }
}

/** A task in the list of a runner, with its project for admins. */
export type RunnerTask = TaskView & { project_name: string };

const TASKS_MAX = 20;
/** Maximum number of projects whose tasks an admin sees together. */
const PROJECTS_MAX = 200;

/** Returns a runner's latest tasks, latest first: those of the project, or of all for admins. */
export async function listRunnerTasks(
  scope: RunnersScope,
  { id, project_id, project_ids }: Pick<RunnerView, "id" | "project_id" | "project_ids">,
): Promise<RunnerTask[]> {
  const { deps } = scope;
  const { kv } = deps;
  const ids = project_id === null ? project_ids : [project_id];
  const projects = "projectId" in scope
    ? [scope.project]
    : ids.length > 0
    ? await getProjectRows(kv, ids)
    : await listProjectRows(kv);
  const names = new Map(projects.slice(0, PROJECTS_MAX).map(({ id, name }) => [id, name]));
  const sight = "projectId" in scope ? await sightOf(scope) : null;
  const lists = await Promise.all(
    [...names.keys()].map((projectId) =>
      listHistory(kv, projectId, { runnerId: id, limit: TASKS_MAX }, sight)
    ),
  );
  const tasks = lists.flatMap(({ tasks }) => tasks).toSorted((a, b) => b.id - a.id);
  const views = await taskViews(deps, tasks.slice(0, TASKS_MAX), { sight });
  return views.map((task) => ({ ...task, project_name: names.get(task.project_id) ?? "" }));
}

/**
 * Returns a runner of the scope, or one of the server that serves the project. Throws not found.
 */
export async function findBusyRunner(
  scope: RunnersScope,
  id: number,
): Promise<{ runner: BusyRunner; version: string }> {
  const { own, serving, version } = await readRunners(scope);
  const runner = [...own, ...serving].find((runner) => runner.id === id);
  if (!runner) throw notFound();
  return { runner, version };
}
