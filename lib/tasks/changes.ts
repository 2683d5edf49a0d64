import type { SystemActor } from "../access/actor.ts";
import type { Deps } from "../deps.ts";
import type { TaskRow } from "./schema.ts";

/** Tells sockets and streams of this process what a task is like now. */
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
  });
}

/** What an event says of a task; `action` is the last part of the locale key. */
export const taskEvent = (task: TaskRow, action: string) =>
  ({
    projectId: task.project_id,
    object: "task",
    id: task.id,
    name: task.template_name,
    action,
  }) as const;

/** Steps that nobody in particular takes are told without a name. */
export const systemActor = (task: TaskRow): SystemActor => ({
  kind: "autorun",
  id: task.id,
  projectId: task.project_id,
});
