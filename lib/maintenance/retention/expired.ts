import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { getTasks } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isFinished } from "../../model/status.ts";
import type { Retention } from "../../base/settings/config.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import { neededTasks } from "../../workflows/runs/expire.ts";
import { neededChecks, surplusChecks } from "../../drift/retained_checks.ts";

const DAY_MS = 86_400_000;

/** Time before which nothing has to be kept; null without a limit. */
export const cutoff = (now: Date, days: number): string | null =>
  days === 0 ? null : new Date(now.getTime() - days * DAY_MS).toISOString();

/**
 * The tasks of a project that have expired. They never include an open task, the latest of its
 * template, the latest successful one that a deploy can choose, one of an open run of a workflow,
 * or a check that states of hosts refer to.
 */
export async function* expiredTasks(
  kv: Store,
  projectId: number,
  { tasksPerTemplate, taskDays }: Retention,
  now: Date,
): AsyncGenerator<TaskRow> {
  // Read only once a task might go, because they are as many as templates.
  let kept: Set<number> | undefined;
  const oldest = cutoff(now, taskDays);
  for await (const task of exceeding(kv, projectId, tasksPerTemplate, oldest)) {
    if (!isFinished(task.status)) continue;
    kept ??= await neededIds(kv, projectId);
    if (!kept.has(task.id)) yield task;
  }
}

/** The tasks of a project that exceed a limit. One that exceeds two of them is found twice. */
async function* exceeding(
  kv: Store,
  projectId: number,
  tasksPerTemplate: number,
  oldest: string | null,
): AsyncGenerator<TaskRow> {
  if (tasksPerTemplate > 0) {
    for await (const ids of surplus(kv, projectId, tasksPerTemplate)) {
      yield* await getTasks(kv, ids.map((id) => [projectId, id]));
    }
  }
  for await (const ids of surplusChecks(kv, projectId, tasksPerTemplate)) {
    yield* await getTasks(kv, ids.map((id) => [projectId, id]));
  }
  if (oldest === null) return;
  for await (
    const { value } of kv.list<TaskRow>({ prefix: rowKeys.tasks(projectId) }, { batchSize: 100 })
  ) {
    // Ids grow with time, so no later id has an older task.
    if (value.created >= oldest) return;
    yield value;
  }
}

/** Ids of the tasks that stay whatever the limits are. */
async function neededIds(kv: Store, projectId: number): Promise<Set<number>> {
  const kept = await retainedTasks(kv, projectId);
  for (const id of await neededTasks(kv, projectId)) kept.add(id);
  for (const id of await neededChecks(kv, projectId)) kept.add(id);
  return kept;
}

/** Ids of the latest task of each template, and of the latest build that a deploy can choose. */
async function retainedTasks(kv: Store, projectId: number): Promise<Set<number>> {
  const kept = new Map<string, number>();
  const last = kv.list<TaskRow>({ prefix: rowKeys.lastTasks(projectId) }, { batchSize: 500 });
  for await (const { key, value } of last) {
    kept.set(`last ${String(key[2])}`, value.id);
  }
  for await (
    const { key } of kv.list({ prefix: rowKeys.buildsOf(projectId) }, { batchSize: 500 })
  ) {
    kept.set(`build ${String(key[2])}`, key[3] as number); // ascending: the latest one stays
  }
  return new Set(kept.values());
}

/** For each template, the ids beyond its latest `count`. */
async function* surplus(kv: Store, projectId: number, count: number): AsyncGenerator<number[]> {
  const prefix = rowKeys.tasksByTemplates(projectId);
  let template: unknown;
  let seen = 0;
  let ids: number[] = [];
  for await (const { key } of kv.list({ prefix }, { reverse: true, batchSize: 500 })) {
    if (key[2] !== template) [template, seen] = [key[2], 0];
    if (++seen <= count) continue;
    ids.push(key[3] as number);
    if (ids.length === 100) {
      yield ids;
      ids = [];
    }
  }
  if (ids.length > 0) yield ids;
}

/** Limits of a project. If the server and the project both set a limit, the stricter one counts. */
export function limitsOf(server: Retention, { retention }: ProjectRow): Retention {
  return {
    tasksPerTemplate: stricter(server.tasksPerTemplate, retention?.max_tasks_per_template ?? 0),
    taskDays: stricter(server.taskDays, retention?.max_age_days ?? 0),
    eventDays: server.eventDays,
  };
}

const stricter = (a: number, b: number) => a === 0 || b === 0 ? a + b : Math.min(a, b);
