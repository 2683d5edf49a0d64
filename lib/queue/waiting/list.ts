import type { AdminScope } from "../../access/scope.ts";
import { getTasks } from "../../model/tasks.ts";
import { listOpenTasks } from "../../tasks/open_tasks.ts";
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
  { deps: { kv } }: AdminScope,
  { limit = PAGE_MAX, after = 0 }: { limit?: number; after?: number },
): Promise<QueuePage> {
  const all = (await listOpenTasks(kv)).filter(({ id }) => id > after);
  const open = all.slice(0, Math.min(limit, PAGE_MAX));
  const tasks = await getTasks(kv, open.map(({ project_id, id }) => [project_id, id]));
  const names = new Map<number, string>();
  for (const projectId of new Set(tasks.map(({ project_id }) => project_id))) {
    names.set(projectId, (await findProject(kv, projectId))?.name ?? "");
  }
  const queued = tasks.map(({
    id,
    project_id,
    template_id,
    template_name,
    username,
    status,
  }) => ({
    task_id: id,
    project_id,
    project_name: names.get(project_id)!,
    template_id,
    template_name,
    username: username ?? "",
    status,
    location: isActive(status) ? "running" as const : "queue" as const,
  }));
  return { tasks: queued, hasNext: all.length > open.length };
}
