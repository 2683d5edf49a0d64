import { type RestClient, restClient } from "./rest_client.ts";
import type { Item, Source, SourceIntegration, SourceProject, SourceTask } from "./source.ts";
import { TASKS_MAX } from "./plan_history.ts";
import { createdAt } from "./task_item.ts";
import { ConfigError } from "../../base/settings/settings.ts";

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

/** Reads a project with everything in it. Throws ConfigError if it does not exist. */
async function readRestProject(
  client: RestClient,
  projectId: number,
): Promise<SourceProject> {
  const base = `/project/${projectId}`;
  const project = await client.get(base);
  if (project === null) throw new ConfigError(`Project ${projectId} does not exist.`);
  const each = async (path: string) => {
    const items: Item[] = [];
    // The list omits some members of its items.
    for (const { id } of await client.list(path)) {
      items.push(await client.get(`${path}/${id}`) as Item);
    }
    return items;
  };
  const templates = await each(`${base}/templates`);
  return {
    project: project as Item,
    keys: await client.list(`${base}/keys`),
    repositories: await client.list(`${base}/repositories`),
    inventories: await client.list(`${base}/inventory`),
    environments: await each(`${base}/environment`),
    views: await client.list(`${base}/views`),
    templates,
    schedules: await readSchedules(client, base, templates),
    workflows: await each(`${base}/workflows`),
    integrations: await readIntegrations(client, `${base}/integrations`),
    aliases: await readAliases(client, `${base}/integrations/aliases`),
    members: (await client.list(`${base}/users`)).map(({ username, role }) => ({
      username: String(username),
      role: String(role),
    })),
  };
}

/**
 * Reads schedules from all lists, because versions differ in which list holds which schedules.
 * Schedules that members of templates set are left out, because these members bring them.
 */
async function readSchedules(
  { list }: RestClient,
  base: string,
  templates: Item[],
): Promise<Item[]> {
  const found = new Map<unknown, Item>();
  const add = (items: Item[]) => items.forEach((item) => found.set(item.id, item));
  for (const { id } of templates) add(await list(`${base}/templates/${id}/schedules`));
  add(await list(`${base}/schedules`));
  return [...found.values()].filter(({ set_by }) => !set_by);
}

async function readIntegrations(client: RestClient, base: string): Promise<SourceIntegration[]> {
  const read: SourceIntegration[] = [];
  for (const integration of await client.list(base)) {
    read.push({
      integration,
      matchers: await client.list(`${base}/${integration.id}/matchers`),
      values: await client.list(`${base}/${integration.id}/values`),
      aliases: await readAliases(client, `${base}/${integration.id}/aliases`),
    });
  }
  return read;
}

const readAliases = async ({ list }: RestClient, path: string) =>
  (await list(path)).map(({ url }) => String(url).split("/").at(-1)!);
