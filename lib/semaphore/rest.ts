import { ConfigError } from "../config.ts";
import { parseJson, readText } from "../http/api.ts";
import type { Item, Source, SourceIntegration, SourceProject } from "./source.ts";

/** A call takes this long at most, and its answer holds this much. */
const LIMIT_MS = 30_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Reads another server by its API, with a token of an administrator. Secrets are not to be had. */
export function restSource(url: string, token: string): Source {
  const get = async (path: string): Promise<unknown> => {
    const address = `${url.replace(/(?<!\/)\/+$/, "")}/api${path}`;
    const response = await fetch(address, {
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json" },
      // A redirect could lead the token to somebody else.
      redirect: "error",
      signal: AbortSignal.timeout(LIMIT_MS),
    }).catch((error) => {
      throw new ConfigError(`${address} cannot be reached: ${error.message}`);
    });
    if (response.ok) return parseJson(await readText(response, ANSWER_BYTES_MAX));
    await response.body?.cancel();
    // What an older version has not, there is none of.
    if (response.status === 404 || response.status === 405) return null;
    const advice = response.status === 401 ? " Is the token an administrator's, and alive?" : "";
    throw new ConfigError(`${address} answered ${response.status}.${advice}`);
  };
  const list = async (path: string) => itemsOf(await get(path));

  async function read(projectId: number): Promise<SourceProject> {
    const base = `/project/${projectId}`;
    const project = await get(base);
    if (project === null) throw new ConfigError(`There is no project ${projectId}.`);
    const each = async (path: string) => {
      const items: Item[] = [];
      // The list leaves out some of what the item has.
      for (const { id } of await list(path)) items.push(await get(`${path}/${id}`) as Item);
      return items;
    };
    const templates = await each(`${base}/templates`);
    return {
      project: project as Item,
      keys: await list(`${base}/keys`),
      repositories: await list(`${base}/repositories`),
      inventories: await list(`${base}/inventory`),
      environments: await each(`${base}/environment`),
      views: await list(`${base}/views`),
      templates,
      schedules: await readSchedules(base, templates),
      integrations: await readIntegrations(`${base}/integrations`),
      aliases: await readAliases(`${base}/integrations/aliases`),
      members: (await list(`${base}/users`)).map(({ username, role }) => ({
        username: String(username),
        role: String(role),
      })),
    };
  }

  /** Which version lists which schedules differs: all lists together have them all. */
  async function readSchedules(base: string, templates: Item[]): Promise<Item[]> {
    const found = new Map<unknown, Item>();
    const add = (items: Item[]) => items.forEach((item) => found.set(item.id, item));
    for (const { id } of templates) add(await list(`${base}/templates/${id}/schedules`));
    add(await list(`${base}/schedules`));
    return [...found.values()];
  }

  async function readIntegrations(base: string): Promise<SourceIntegration[]> {
    const read: SourceIntegration[] = [];
    for (const integration of await list(base)) {
      read.push({
        integration,
        matchers: await list(`${base}/${integration.id}/matchers`),
        values: await list(`${base}/${integration.id}/values`),
        aliases: await readAliases(`${base}/${integration.id}/aliases`),
      });
    }
    return read;
  }

  const readAliases = async (path: string) =>
    (await list(path)).map(({ url }) => String(url).split("/").at(-1)!);

  return {
    users: () => list("/users"),
    projects: async () =>
      (await list("/projects")).map(({ id, name }) => ({ id: Number(id), name: String(name) })),
    read,
  };
}

const itemsOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
