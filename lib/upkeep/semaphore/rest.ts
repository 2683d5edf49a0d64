import { JSONParser } from "@streamparser/json";
import { after } from "../../base/after.ts";
import { ConfigError } from "../../base/settings.ts";
import { readText } from "../../base/body.ts";
import { parseJson } from "../../base/parse.ts";
import { bodyChunks } from "../../base/body.ts";
import type { Item, Source, SourceIntegration, SourceProject, SourceTask } from "./source.ts";
import { createdAt } from "./task_item.ts";

/** An answer begins within this time, and holds this much, if it is not read as a stream. */
const LIMIT_MS = 30_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** Tasks that are asked for at once. */
const PAGE = 200;
/** As many does a server list that knows no pages. */
const LIST_MAX = 1000;

/** Reads another server by its API, with a token of an administrator. Secrets are not to be had. */
export function restSource(url: string, token: string): Source {
  const ask = async (path: string): Promise<Response | null> => {
    const address = `${url.replace(/(?<!\/)\/+$/, "")}/api${path}`;
    const limit = new AbortController();
    const forget = after(LIMIT_MS, () => limit.abort(new Error("no answer in time")));
    const response = await fetch(address, {
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json" },
      // A redirect could lead the token to somebody else.
      redirect: "error",
      signal: limit.signal,
    }).catch((error) => {
      throw new ConfigError(`${address} cannot be reached: ${error.message}`);
    }).finally(forget);
    if (response.ok) return response;
    await response.body?.cancel();
    // What an older version has not, there is none of.
    if (response.status === 404 || response.status === 405) return null;
    const advice = response.status === 401 ? " Is the token an administrator's, and alive?" : "";
    throw new ConfigError(`${address} answered ${response.status}.${advice}`);
  };
  const get = async (path: string): Promise<unknown> => {
    const response = await ask(path);
    return response && parseJson(await readText(response, ANSWER_BYTES_MAX));
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

  /** Newer servers give pages; an older one answers the same list again. */
  async function tasks(projectId: number, templateId: number, count: number) {
    const path = `/project/${projectId}/templates/${templateId}/tasks`;
    const found = new Map<number, SourceTask>();
    let listed = 0;
    for (let before = ""; found.size < count;) {
      const size = Math.min(PAGE, count - found.size);
      const query = `limit=${size}&count=${size}${before}`;
      const page = await list(`${path}${count > PAGE ? "" : "/last"}?${query}`);
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
    return { tasks: [...found.values()], cut: found.size < count && listed >= LIST_MAX };
  }

  async function* output(projectId: number, taskId: number): AsyncGenerator<Item> {
    const response = await ask(`/project/${projectId}/tasks/${taskId}/output`);
    if (response) yield* streamItems(response);
  }

  const readAliases = async (path: string) =>
    (await list(path)).map(({ url }) => String(url).split("/").at(-1)!);

  return {
    users: () => list("/users"),
    projects: async () =>
      (await list("/projects")).map(({ id, name }) => ({ id: Number(id), name: String(name) })),
    read,
    tasks,
    task: async (projectId, taskId) =>
      await get(`/project/${projectId}/tasks/${taskId}`) as Item | null,
    output,
  };
}

/** The items of a list of any length, as they come; only one of them must not be too long. */
async function* streamItems(response: Response): AsyncGenerator<Item> {
  const parser = new JSONParser({ paths: ["$.*"], keepStack: false });
  let items: Item[] = [];
  parser.onValue = ({ value }) => void items.push(value as Item);
  parser.onError = (error) => {
    throw new ConfigError(`${response.url} is no list: ${error.message}`);
  };
  let bytes = 0;
  for await (const chunk of bodyChunks(response, Infinity)) {
    parser.write(chunk);
    bytes = items.length > 0 ? 0 : bytes + chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new ConfigError(`${response.url} has too long a line.`);
    yield* itemsOf(items);
    items = [];
  }
  if (!parser.isEnded) throw new ConfigError(`${response.url} ended in the middle.`);
}

const itemsOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
