import type { AdminScope } from "../../access/scope.ts";
import { getTasks } from "../../model/tasks.ts";
import { listOpenTasks } from "../../tasks/open_tasks.ts";
import { reasonOfEnd } from "../../tasks/reason.ts";
import { waitReasons } from "../../tasks/waiting/wait_reasons.ts";
import { isActive } from "../../model/status.ts";
import type { QueuedTask } from "../../tasks/schema.ts";
import { findProject } from "../../model/projects.ts";

const PAGE_MAX = 1_000;

interface QueuePage {
  tasks: QueuedTask[];
  /** Whether newer unfinished tasks exist. Request them with `after` set to the last task's id. */
  hasNext: boolean;
}

/** Returns the unfinished tasks of all projects with ids greater than `after`, oldest first. */
export async function listQueue(
  { deps }: AdminScope,
  { limit = PAGE_MAX, after = 0 }: { limit?: number; after?: number },
): Promise<QueuePage> {
  const { kv } = deps;
  const all = (await listOpenTasks(kv)).filter(({ id }) => id > after);
  const open = all.slice(0, Math.min(limit, PAGE_MAX));
  const tasks = await getTasks(kv, open.map(({ project_id, id }) => [project_id, id]));
  const waits = await waitReasons(deps, tasks);
  const names = new Map<number, string>();
  for (const projectId of new Set(tasks.map(({ project_id }) => project_id))) {
    names.set(projectId, (await findProject(kv, projectId))?.name ?? "");
  }
  const queued = tasks.map((task) => ({
    task_id: task.id,
    project_id: task.project_id,
    project_name: names.get(task.project_id)!,
    template_id: task.template_id,
    template_name: task.template_name,
    username: task.username ?? "",
    status: task.status,
    reason: waits.get(task.id) ?? reasonOfEnd(task),
    location: isActive(task.status) ? "running" as const : "queue" as const,
  }));
  return { tasks: queued, hasNext: all.length > open.length };
}
