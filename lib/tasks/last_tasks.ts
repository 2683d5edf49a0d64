import { rowKeys } from "../kv/keys.ts";
import type { TaskRow, TaskView } from "./schema.ts";
import { taskView, taskViews, type TemplateNames } from "./view.ts";

/** As many as a project may have templates. */
const LIST_MAX = 10_000;

/**
 * The newest task of each of the project's templates that has one, by the template's id; `names` are
 * those of the templates. Without answers that are stored beside the tasks.
 */
export async function lastTasksOf(
  kv: Deno.Kv,
  projectId: number,
  names: TemplateNames,
): Promise<Map<number, TaskView>> {
  const tasks = await Array.fromAsync(
    kv.list<TaskRow>({ prefix: rowKeys.lastTasks(projectId) }, { limit: LIST_MAX, batchSize: 500 }),
    ({ value }) => value,
  );
  const views = await taskViews(kv, tasks, { names, brief: true });
  return new Map(views.map((view) => [view.template_id, view]));
}

/** The newest task of one template in the same way, or null. */
export async function lastTaskOf(
  kv: Deno.Kv,
  projectId: number,
  templateId: number,
): Promise<TaskView | null> {
  const { value } = await kv.get<TaskRow>(rowKeys.lastTask(projectId, templateId));
  return value && await taskView(kv, value, { brief: true });
}
