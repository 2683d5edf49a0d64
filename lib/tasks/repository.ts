import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { TaskRow } from "../model/task_row.ts";
import { getTasks } from "../model/tasks.ts";

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
