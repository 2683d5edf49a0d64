import { keys } from "../kv/keys.ts";
import type { TaskRow, TaskView } from "./schema.ts";
import { taskView, taskViews } from "./view.ts";

/**
 * The newest task of each of the project's templates that has one, by the template's id; without
 * answers that are stored beside it.
 */
export async function lastTasksOf(
  kv: Deno.Kv,
  projectId: number,
): Promise<Map<number, TaskView>> {
  const tasks = await Array.fromAsync(
    kv.list<TaskRow>({ prefix: keys.lastTasks(projectId) }, { batchSize: 500 }),
    ({ value }) => value,
  );
  const views = await taskViews(kv, tasks, { brief: true });
  return new Map(views.map((view) => [view.template_id, view]));
}

/** The newest task of one template in the same way, or null. */
export async function lastTaskOf(
  kv: Deno.Kv,
  projectId: number,
  templateId: number,
): Promise<TaskView | null> {
  const { value } = await kv.get<TaskRow>(keys.lastTask(projectId, templateId));
  return value && await taskView(kv, value, { brief: true });
}
