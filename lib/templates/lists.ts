import { Listing } from "../access/answer.ts";
import type { Deps } from "../access/deps.ts";
import { grants } from "../access/permissions.ts";
import type { ProjectScope } from "../access/scope.ts";
import { requireSeen, seenOf, sightOf } from "../access/sight.ts";
import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import { sortByReferred, type SortParams } from "../references/sort.ts";
import {
  countTasksOf,
  countTasksOfSome,
  lastTasksOf,
  lastTasksOfSome,
} from "../tasks/template_tasks.ts";
import { ownLastTasks } from "../tasks/own_tasks.ts";
import { inView } from "./arrange.ts";
import { type TemplateFilter, templatesAskedFor } from "./filter.ts";
import { listOutlines, type TemplateOutline } from "./outlines.ts";
import { templateRows } from "./repository.ts";
import type { TemplateRow, TemplateView } from "./schema.ts";
import { shownTo, templateView } from "./view.ts";
import { viewRows } from "./views/repository.ts";

/** Templates of a project or of one view, in an order by what they refer to. */
interface Asked {
  viewId?: number;
  sort?: SortParams;
}

/** Maximum number of templates of a list that is read and cached as a whole. */
const WHOLE_LIST_MAX = 500;

/**
 * The project's templates, or those of one view, each with its latest task; null if the project has
 * too many to read all of them. They are cached, so callers must not change them.
 */
export async function listTemplates(
  scope: ProjectScope,
  asked: Asked = {},
): Promise<TemplateView[] | null> {
  const { deps, projectId, permissions } = scope;
  const stamps = [rowKeys.resourcesStamp("templates"), rowKeys.tasksWake()];
  const all = await cachedWhile(
    deps.kv,
    stamps,
    `templates of ${projectId}`,
    () => readTemplates(deps, projectId),
  );
  if (!all) return null;
  const seen = await seenTemplates(scope, all);
  const shown = await arranged(scope, seen, asked);
  return grants(permissions, "manage_resources")
    ? shown
    : shown.map((view) => shownTo(permissions, view));
}

/**
 * Returns the templates that the actor sees. If they see no tasks of others, the last task of a
 * template is theirs, or none.
 */
async function seenTemplates(scope: ProjectScope, all: TemplateView[]): Promise<TemplateView[]> {
  const sight = await sightOf(scope);
  const shown = seenOf(all, sight.hidden("templates"));
  return sight.seesAllTasks ? shown : await withOwnTasks(scope, shown);
}

/** Returns the templates with the last task that the actor started, instead of the last one. */
async function withOwnTasks(
  scope: ProjectScope,
  templates: TemplateView[],
): Promise<TemplateView[]> {
  const own = await ownLastTasks(scope, new Map(templates.map(({ id, name }) => [id, name])));
  return templates.map((template) => {
    const last = own.get(template.id);
    const last_task = last?.view ?? null;
    const tasks = last?.count ?? 0;
    return { ...template, last_task, last_task_id: last_task?.id ?? null, tasks };
  });
}

/** Outlines of the same templates, however many there are. */
const outlinesOf = async (
  scope: ProjectScope,
  asked: Asked,
): Promise<TemplateOutline[]> => await arranged(scope, await listOutlines(scope), asked);

/**
 * Returns the same templates for the API. Clients poll them, so a short list is cached as it is
 * answered. Of a long one, only the templates that are asked for are read.
 */
export async function templateList(
  scope: ProjectScope,
  { filter = {}, ...asked }: Asked & { filter?: TemplateFilter },
): Promise<TemplateView[] | Listing<TemplateView>> {
  const short = await listTemplates(scope, asked);
  if (short) return templatesAskedFor(short, filter);
  return new Listing(
    templatesAskedFor(await outlinesOf(scope, asked), filter),
    (ids) => getTemplates(scope, ids),
  );
}

type Arranged = Pick<
  TemplateRow,
  "view_id" | "inventory_id" | "environment_id" | "repository_id"
>;

async function arranged<Template extends Arranged>(
  scope: ProjectScope,
  all: Template[],
  { viewId, sort }: Asked,
): Promise<Template[]> {
  const { deps: { kv }, projectId } = scope;
  if (viewId !== undefined) await requireSeen(scope, "views", viewId);
  const view = viewId === undefined ? undefined : await viewRows.get(kv, projectId, viewId);
  return await sortByReferred(kv, projectId, view ? all.filter(inView(view)) : all, sort, {
    inventory: ["inventory_id", "inventories"],
    environment: ["environment_id", "environments"],
    repository: ["repository_id", "repositories"],
  });
}

async function readTemplates(deps: Deps, projectId: number): Promise<TemplateView[] | null> {
  const { kv } = deps;
  const rows = await templateRows.list(kv, projectId, WHOLE_LIST_MAX + 1);
  if (rows.length > WHOLE_LIST_MAX) return null;
  const counts = await countTasksOf(kv, projectId);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const lastTasks = await lastTasksOf(deps, projectId, names);
  return rows.map((row) =>
    templateView(row, lastTasks.get(row.id) ?? null, counts.get(row.id) ?? 0)
  );
}

/** Maximum number of templates that a page shows, unless all are asked for. */
const PAGE_MAX = 75;

/**
 * Returns the templates with these ids that exist, in this order, each with its latest task. A page
 * of them is cached, because people and clients ask for it again, so callers must not change it.
 */
export async function getTemplates(
  scope: ProjectScope,
  ids: readonly number[],
): Promise<TemplateView[]> {
  const { deps, projectId, permissions } = scope;
  const stamps = [rowKeys.resourcesStamp("templates"), rowKeys.tasksWake()];
  const read = () => readSome(deps, projectId, ids);
  const views = ids.length <= PAGE_MAX
    ? await cachedWhile(deps.kv, stamps, `templates ${ids} of ${projectId}`, read)
    : await read();
  return (await seenTemplates(scope, views)).map((view) => shownTo(permissions, view));
}

async function readSome(
  deps: Deps,
  projectId: number,
  ids: readonly number[],
): Promise<TemplateView[]> {
  const { kv } = deps;
  const rows = await templateRows.some(kv, projectId, ids);
  const [lastTasks, counts] = await Promise.all([
    lastTasksOfSome(deps, projectId, new Map(rows.map(({ id, name }) => [id, name]))),
    countTasksOfSome(kv, projectId, rows.map(({ id }) => id)),
  ]);
  return rows.map((row, n) => templateView(row, lastTasks.get(row.id) ?? null, counts[n]));
}
