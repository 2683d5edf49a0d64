import { keys } from "../kv/keys.ts";
import { getTasks } from "./repository.ts";
import type { TaskView } from "./schema.ts";
import { taskViews } from "./view.ts";

/** The newest task of each of the project's templates that has one, by the template's id. */
export async function lastTasksOf(
  kv: Deno.Kv,
  projectId: number,
): Promise<Map<number, TaskView>> {
  const ids = await Array.fromAsync(
    kv.list<number>({ prefix: keys.lastTasks(projectId) }, { batchSize: 500 }),
    ({ value }): [number, number] => [projectId, value],
  );
  const views = await taskViews(kv, await getTasks(kv, ids));
  return new Map(views.map((view) => [view.template_id, view]));
}

/** The newest task of one template, or null. */
export async function lastTaskOf(
  kv: Deno.Kv,
  projectId: number,
  templateId: number,
): Promise<TaskView | null> {
  const { value: id } = await kv.get<number>(keys.lastTask(projectId, templateId));
  if (id === null) return null;
  const views = await taskViews(kv, await getTasks(kv, [[projectId, id]]));
  return views[0] ?? null;
}
