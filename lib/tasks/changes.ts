import type { SystemActor } from "../access/actor.ts";
import type { Deps } from "../access/deps.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic } from "../store/store.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Publishes the current state of a task to the sockets and streams of this process. */
export function taskChanged(deps: Pick<Deps, "hub">, task: TaskRow): void {
  deps.hub.publish({
    type: "update",
    project_id: task.project_id,
    task_id: task.id,
    template_id: task.template_id,
    status: task.status,
    start: task.start,
    end: task.end,
    version: task.version,
    ...task.check && { check: true },
  });
}

/** Notifies pages, also those of other servers, that tasks of a project were deleted. */
export async function tasksGone({ hub, kv }: Pick<Deps, "hub" | "kv">, project_id: number) {
  hub.publish({ type: "gone", project_id });
  await kv.set(rowKeys.tasksGone(), project_id);
}

/**
 * Adds to `op` that lists of schedules have changed, if one of these tasks is the work of a
 * schedule, because they show how its last task ended.
 */
export function schedulesChanged(op: Atomic, tasks: TaskRow[]): void {
  const task = tasks.find(({ schedule_id }) => schedule_id);
  if (task) op.set(rowKeys.resourcesStamp("schedules"), task.id);
}

/** Returns the event for a task; `action` is the last part of the locale key. */
export const taskEvent = (task: TaskRow, action: string) =>
  ({
    projectId: task.project_id,
    object: "task",
    id: task.id,
    name: task.template_name,
    action,
  }) as const;

/**
 * Returns the actor of the steps that follow the start of a task. It carries the starter's name.
 */
export const systemActor = ({ started_by, ...task }: TaskRow): SystemActor => ({
  kind: started_by?.kind ?? "server",
  name: started_by?.name,
  id: task.id,
  projectId: task.project_id,
  person: { id: task.user_id, username: task.username },
});
