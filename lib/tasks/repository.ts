import { notFound } from "../base/errors.ts";
import { getAll } from "../store/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { TaskRow } from "./schema.ts";

/** Returns the task with this project and id, or null. */
export async function findTask(
  kv: Store,
  projectId: number,
  id: number,
): Promise<TaskRow | null> {
  return (await kv.get<TaskRow>(rowKeys.task(projectId, id))).value;
}

/** Returns the task. Throws 404 if it does not exist. */
export async function getTaskRow(kv: Store, projectId: number, id: number): Promise<TaskRow> {
  const task = await findTask(kv, projectId, id);
  if (!task) throw notFound();
  return task;
}

interface TaskPage {
  limit: number;
  /** Only tasks with a smaller id. */
  before?: number;
}

/** Returns a project's tasks, newest first. */
export function listTaskRows(kv: Store, projectId: number, page: TaskPage): Promise<TaskRow[]> {
  return Array.fromAsync(
    kv.list<TaskRow>(newestFirst(rowKeys.tasks(projectId), page.before), {
      reverse: true,
      limit: page.limit,
      batchSize: Math.min(page.limit, 500),
    }),
    ({ value }) => value,
  );
}

/**
 * Returns a template's tasks, newest first; with `built`, only its successful builds, and with
 * `checks`, its checks instead.
 */
export async function listTemplateTasks(
  kv: Store,
  projectId: number,
  templateId: number,
  page: TaskPage & { built?: boolean; checks?: boolean },
): Promise<TaskRow[]> {
  const prefix = page.checks
    ? rowKeys.taskHistory(projectId, templateId, "check", "")
    : page.built
    ? rowKeys.builds(projectId, templateId)
    : rowKeys.tasksByTemplate(projectId, templateId);
  const ids = await Array.fromAsync(
    kv.list(newestFirst(prefix, page.before), {
      reverse: true,
      limit: page.limit,
      batchSize: Math.min(page.limit, 500),
    }),
    ({ key }) => key.at(-1) as number,
  );
  return await getTasks(kv, ids.map((id) => [projectId, id]));
}

function newestFirst(prefix: Deno.KvKey, before?: number): Deno.KvListSelector {
  return before === undefined ? { prefix } : { prefix, end: [...prefix, before] };
}

/** Returns the existing tasks of these projects and ids, in the requested order. */
export async function getTasks(
  kv: Store,
  ids: [project: number, id: number][],
): Promise<TaskRow[]> {
  const rows = await getAll<TaskRow>(kv, ids.map(([project, id]) => rowKeys.task(project, id)));
  return rows.flatMap(({ value }) => value ?? []);
}
