import { rowKeys } from "../kv/keys.ts";
import type { TaskRow, TaskView } from "./schema.ts";
import { type ShownTemplate, taskView, taskViews } from "./view.ts";

/** Maximum number of templates of a project. */
const LIST_MAX = 10_000;

/**
 * Returns the latest task of each of the project's templates that has one, by template id. `names`
 * has the names of the templates. Answers that are stored outside of the row are left out.
 */
export async function lastTasksOf(
  kv: Deno.Kv,
  projectId: number,
  names: ShownTemplate,
): Promise<Map<number, TaskView>> {
  const tasks = await Array.fromAsync(
    kv.list<TaskRow>({ prefix: rowKeys.lastTasks(projectId) }, { limit: LIST_MAX, batchSize: 500 }),
    ({ value }) => value,
  );
  const views = await taskViews(kv, tasks, { names, brief: true });
  return new Map(views.map((view) => [view.template_id, view]));
}

/** Returns the latest task of one template in the same way, or null. */
export async function lastTaskOf(
  kv: Deno.Kv,
  projectId: number,
  templateId: number,
): Promise<TaskView | null> {
  const { value } = await kv.get<TaskRow>(rowKeys.lastTask(projectId, templateId));
  return value && await taskView(kv, value, { brief: true });
}

/** Returns how many tasks of a template were ever started. */
export async function countTasks(
  kv: Deno.Kv,
  projectId: number,
  templateId: number,
): Promise<number> {
  const { value } = await kv.get<Deno.KvU64>(rowKeys.taskCount(projectId, templateId));
  return Number(value?.value ?? 0);
}

/** Returns these counts for all templates of the project that had a task, by template id. */
export async function countTasksOf(kv: Deno.Kv, projectId: number): Promise<Map<number, number>> {
  const prefix = rowKeys.taskCounts(projectId);
  const counts = new Map<number, number>();
  for await (const { key, value } of kv.list<Deno.KvU64>({ prefix }, { batchSize: 500 })) {
    counts.set(key.at(-1) as number, Number(value.value));
  }
  return counts;
}
