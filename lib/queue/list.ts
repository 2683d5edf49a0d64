import type { AdminScope } from "../access/scope.ts";
import { rowKeys } from "../kv/keys.ts";
import type { ProjectRow } from "../access/rows.ts";
import { getTasks } from "../tasks/repository.ts";
import { listOpenTasks } from "../tasks/open_tasks.ts";
import type { QueuedTask } from "../tasks/queued_task.ts";
import { isActive } from "../tasks/status.ts";

/** Of a queue that is longer only its beginning is shown. */
const QUEUE_SHOWN_MAX = 1_000;

/** The oldest tasks of all projects that have no end yet; for admins. */
export async function listQueue({ deps: { kv } }: AdminScope): Promise<QueuedTask[]> {
  const open = (await listOpenTasks(kv)).slice(0, QUEUE_SHOWN_MAX);
  const tasks = await getTasks(kv, open.map(({ project_id, id }) => [project_id, id]));
  const names = new Map<number, string>();
  for (const projectId of new Set(tasks.map(({ project_id }) => project_id))) {
    const { value } = await kv.get<ProjectRow>(rowKeys.project(projectId));
    names.set(projectId, value?.name ?? "");
  }
  return tasks.map(({ id, project_id, template_id, username, status }) => ({
    task_id: id,
    project_id,
    project_name: names.get(project_id)!,
    template_id,
    username: username ?? "",
    status,
    location: isActive(status) ? "running" : "queue",
  }));
}
