import { type RestClient, restClient } from "./rest_client.ts";
import { readRestProject } from "./rest_project.ts";
import type { Item, Source, SourceTask } from "./source.ts";
import { TASKS_MAX } from "./plan_history.ts";
import { createdAt } from "./task_item.ts";

/** Number of tasks requested per page. */
const PAGE = 200;
/** Maximum number of requested pages. If a server's pages overlap, not all tasks are imported. */
const PAGES_MAX = 2 * TASKS_MAX / PAGE;
/** Number of tasks that a server without pages lists at most. */
const LIST_MAX = 1000;

/**
 * Returns a source that reads another server through its API, with a token of an administrator. The
 * API does not return secrets.
 */
export function restSource(url: string, token: string): Source {
  const client = restClient(url, token);
  return {
    users: () => client.list("/users"),
    projects: async () =>
      (await client.list("/projects"))
        .map(({ id, name }) => ({ id: Number(id), name: String(name) })),
    read: (projectId) => readRestProject(client, projectId),
    tasks: (projectId, templateId, count) => listTasks(client, projectId, templateId, count),
    task: async (projectId, taskId) =>
      await client.get(`/project/${projectId}/tasks/${taskId}`) as Item | null,
    output: (projectId, taskId) => client.stream(`/project/${projectId}/tasks/${taskId}/output`),
  };
}

/**
 * Lists tasks page by page. A server without pages returns the same list again, which ends the
 * loop.
 */
async function listTasks(
  { list }: RestClient,
  projectId: number,
  templateId: number,
  count: number,
) {
  const path = `/project/${projectId}/templates/${templateId}/tasks`;
  const found = new Map<number, SourceTask>();
  let [listed, pages] = [0, 0];
  for (let before = ""; found.size < count && pages < PAGES_MAX; pages++) {
    const size = Math.min(PAGE, count - found.size);
    const query = `limit=${size}&count=${size}${before}`;
    // Servers of 2.9 ignore the limit and list all tasks.
    const page = await list(`${path}${count > PAGE ? "" : "/last"}?${query}`, TASKS_MAX);
    const known = found.size;
    for (const item of page) {
      if (found.size === count) break;
      const id = Number(item.id);
      found.set(id, { id, created: createdAt(item) });
    }
    if (found.size === known) break;
    listed = page.length;
    if (listed < size) break;
    before = `&before=${page.at(-1)!.id}`;
  }
  const isCut = listed >= LIST_MAX || pages === PAGES_MAX;
  return { tasks: [...found.values()], cut: found.size < count && isCut };
}
