import { ConfigError } from "../../base/settings.ts";
import type { RestClient } from "./rest_client.ts";
import type { Item, SourceIntegration, SourceProject } from "./source.ts";

/** Reads a project with everything in it. Throws ConfigError if it does not exist. */
export async function readRestProject(
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
    integrations: await readIntegrations(client, `${base}/integrations`),
    aliases: await readAliases(client, `${base}/integrations/aliases`),
    members: (await client.list(`${base}/users`)).map(({ username, role }) => ({
      username: String(username),
      role: String(role),
    })),
  };
}

/** Reads schedules from all lists, because versions differ in which list holds which schedules. */
async function readSchedules(
  { list }: RestClient,
  base: string,
  templates: Item[],
): Promise<Item[]> {
  const found = new Map<unknown, Item>();
  const add = (items: Item[]) => items.forEach((item) => found.set(item.id, item));
  for (const { id } of templates) add(await list(`${base}/templates/${id}/schedules`));
  add(await list(`${base}/schedules`));
  return [...found.values()];
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
