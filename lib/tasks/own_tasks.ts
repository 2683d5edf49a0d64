import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import type { TaskRow } from "../model/task_row.ts";
import { listHistory } from "./history/history.ts";
import type { TaskView } from "./schema.ts";
import { type ShownTemplate, taskViews } from "./view.ts";

/** Number of someone's latest tasks among which the last of each template is searched. */
const OWN_TASKS_MAX = 500;

/** Latest task of a template that someone started, and how many of their latest tasks are of it. */
interface OwnTasks {
  task: TaskRow;
  count: number;
}

/** Returns the tasks that the actor started lately, by template id. Cached until a task changes. */
function latestOwnTasks(
  { deps: { kv }, actor, projectId }: ProjectScope,
): Promise<ReadonlyMap<number, OwnTasks>> {
  const userId = actor.id;
  const name = `latest tasks of ${userId} in ${projectId}`;
  return cachedWhile(kv, [rowKeys.tasksWake()], name, async () => {
    const { tasks } = await listHistory(kv, projectId, { userId, limit: OWN_TASKS_MAX }, null);
    const found = new Map<number, OwnTasks>();
    for (const task of tasks) {
      const known = found.get(task.template_id);
      if (known) known.count++;
      else found.set(task.template_id, { task, count: 1 });
    }
    return found;
  });
}

/**
 * Returns the last task that the actor started of each of these templates, with how many of their
 * latest tasks are of it, by template id.
 */
export async function ownLastTasks(
  scope: ProjectScope,
  names: ShownTemplate,
): Promise<ReadonlyMap<number, { view: TaskView; count: number }>> {
  const own = await latestOwnTasks(scope);
  const shown = [...own.values()].filter(({ task }) => names.has(task.template_id));
  const views = await taskViews(
    scope.deps,
    shown.map(({ task }) => task),
    { names, brief: true, sight: await sightOf(scope) },
  );
  return new Map(
    shown.map(({ task, count }, n) => [task.template_id, { view: views[n], count }]),
  );
}

/** Returns the states of the same tasks, by template id. */
export const ownLastStates = async (
  scope: ProjectScope,
): Promise<ReadonlyMap<number, Pick<TaskRow, "id" | "status" | "version">>> =>
  new Map([...await latestOwnTasks(scope)].map(([id, { task }]) => [id, task]));
