import { notFound } from "../../base/errors.ts";
import { findTask, getTasks } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import type { Store } from "../../store/store.ts";
import { type Sight, sightOf, type Viewer } from "../sight.ts";

/**
 * Returns the task with this id. Throws 404 if it does not exist, and alike if the actor does not
 * see it. Every use case that takes the id of a task begins here.
 */
export async function getSeenTask(viewer: Viewer, id: number): Promise<TaskRow> {
  const task = await findSeenTask(viewer, id);
  if (!task) throw notFound();
  return task;
}

/** Returns the same task, or null. */
export async function findSeenTask(viewer: Viewer, id: number): Promise<TaskRow | null> {
  const { deps: { kv }, projectId } = viewer;
  const [sight, task] = await Promise.all([sightOf(viewer), findTask(kv, projectId, id)]);
  return task && sight.maySeeTask(task) ? task : null;
}

/** Returns the tasks with these ids that exist and that the actor sees, in the requested order. */
export async function getSeenTasks(viewer: Viewer, ids: readonly number[]): Promise<TaskRow[]> {
  const { deps: { kv }, projectId } = viewer;
  const [sight, tasks] = await Promise.all([
    sightOf(viewer),
    getTasks(kv, ids.map((id) => [projectId, id])),
  ]);
  return seenTasks(sight, tasks);
}

/** Returns the tasks of a list that someone sees. */
export const seenTasks = <Task extends Parameters<Sight["maySeeTask"]>[0]>(
  sight: Sight,
  tasks: Task[],
): Task[] => sight.seesAll ? tasks : tasks.filter((task) => sight.maySeeTask(task));

/** Whether someone sees the task with this id, which is read only if something is hidden. */
export async function maySeeTaskId(
  kv: Store,
  sight: Sight,
  projectId: number,
  id: number,
): Promise<boolean> {
  if (sight.seesAll) return true;
  const task = await findTask(kv, projectId, id);
  return task !== null && sight.maySeeTask(task);
}
