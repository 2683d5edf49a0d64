import { LAST_TASKS } from "@/components/templates/LastTasks.tsx";
import type { ProjectScope } from "@/lib/access/scope.ts";
import { pageOfRows } from "@/lib/base/lists/pages.ts";
import { environmentService } from "@/lib/resources/environments/service.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { isPassword, type KeyView } from "@/lib/resources/keys/schema.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { listAllRoles } from "@/lib/people/roles/service.ts";
import { listMembers } from "@/lib/people/team/service.ts";
import { listChoosable } from "@/lib/resources/toolchains/service.ts";
import { listRunnerLabels } from "@/lib/runners/service.ts";
import { listStartedTasks } from "@/lib/tasks/service.ts";
import { viewService } from "@/lib/templates/views/service.ts";
import {
  filterTemplates,
  inView,
  isSortedByTask,
  sortTemplates,
  type TemplateNames,
} from "@/lib/templates/arrange.ts";
import { listFavourites } from "@/lib/templates/favourites/service.ts";
import type { Language } from "@/lib/i18n/catalogs.ts";
import type { Choices } from "@/lib/web/forms/conflict.ts";
import { readListState, usualOrder } from "@/lib/templates/list.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { getTemplates } from "@/lib/templates/lists.ts";
import { type LastState, listLastStates } from "@/lib/tasks/template_tasks.ts";
import { namedThings } from "@/lib/search/things.ts";
import type { State } from "@/lib/web/state.ts";
import type { ViewView } from "@/lib/templates/views/schema.ts";
import { readIssuer } from "@/lib/task_identity/service.ts";

interface Named {
  id: number;
  name: string;
}

const namesOf = (rows: Named[]) => new Map(rows.map(({ id, name }) => [id, name]));

/** Loads the names that the project's templates refer to, and its views in order. */
export async function loadTemplateNames(scope: ProjectScope) {
  const [views, inventories, environments, repositories] = await Promise.all([
    viewService.list(scope),
    inventoryService.list(scope),
    environmentService.list(scope),
    repositoryService.list(scope),
  ]);
  const names: TemplateNames = {
    view: new Map(views.map(({ id, title }) => [id, title])),
    inventory: namesOf(inventories),
    environment: namesOf(environments),
    repository: namesOf(repositories),
  };
  return { views, names };
}

/** Returns the view of a list of templates. Without an id, it is the one that shows all of them. */
export const viewOfList = (views: readonly ViewView[], viewId: number | null) =>
  views.find(({ id, type }) => viewId === null ? type === "all" : id === viewId);

/** Loads the list of templates of a view, or with null of all. Returns null for an unknown view. */
export async function loadTemplates(
  scope: ProjectScope,
  { viewId, query, language }: {
    viewId: number | null;
    query: URLSearchParams;
    language: Language;
  },
) {
  const [all, { views, names }, favourites] = await Promise.all([
    outlinesByName(scope, language),
    loadTemplateNames(scope),
    listFavourites(scope),
  ]);
  const view = viewOfList(views, viewId);
  if (viewId !== null && !view) return null;
  const state = readListState(query, usualOrder(view));
  const ofView = view ? all.filter(inView(view)) : all;
  const filtered = state.q === ""
    ? ofView
    : filterTemplates(ofView, names, await searchedTexts(scope), state.q);
  const last = isSortedByTask(state) ? await listLastStates(scope) : NONE;
  const found = sortTemplates(filtered, { names, favourites, last, state, language });
  const index = found.findIndex(({ id }) => id === state.open);
  const { rows, ...position } = pageOfRows(found, state, Math.max(index, 0));
  const shown = { ...position, rows: await getTemplates(scope, rows.map(({ id }) => id)) };
  const open = shown.rows.find(({ id }) => id === state.open);
  const lastTasks = open
    ? (await listStartedTasks(scope, { templateId: open.id, limit: LAST_TASKS })).tasks
    : [];
  const counts = { project: all.length, view: ofView.length, found: found.length };
  return { shown, counts, views, view, viewId, names, favourites, state, lastTasks };
}

const NONE: ReadonlyMap<number, LastState> = new Map();

/** Returns the playbook and the description of each template by its id. */
async function searchedTexts(scope: ProjectScope): Promise<ReadonlyMap<number, string[]>> {
  const templates = (await namedThings(scope)).filter(({ kind }) => kind === "templates");
  return new Map(templates.map(({ id, beside }) => [id, beside]));
}

/** Returns the keys that a template's form offers for vaults. Keys chosen through the API stay. */
export const vaultKeys = (keys: KeyView[], current: TemplateView | null): KeyView[] =>
  keys.filter((key) =>
    isPassword(key) ||
    current?.vaults.some(({ vault_key_id }) => vault_key_id === key.id)
  );

/** Loads the choices of a template's form. A template is never its own build template. */
export async function loadTemplateChoices(
  { scope, ui }: Pick<State, "scope" | "ui">,
  current: TemplateView | null,
) {
  const [
    templates,
    views,
    inventories,
    environments,
    repositories,
    keys,
    runnerLabels,
    people,
    roles,
    toolchains,
  ] = await Promise.all([
    outlinesByName(scope, ui.language),
    viewService.list(scope),
    inventoryService.list(scope),
    environmentService.list(scope),
    repositoryService.list(scope),
    keyService.list(scope),
    listRunnerLabels(scope),
    listMembers(scope),
    listAllRoles(scope),
    listChoosable(scope),
  ]);
  const ofType = (type: TemplateView["type"]) =>
    templates.filter((template) => template.type === type && template.id !== current?.id);
  return {
    inventories,
    repositories,
    environments,
    // Those with all templates are not chosen.
    views: views.filter(({ id, type }) => type === "" || id === current?.view_id),
    vaultKeys: vaultKeys(keys, current),
    sshKeys: keys.filter(({ type }) => type === "ssh"),
    builds: ofType("build"),
    deploys: ofType("deploy"),
    runnerLabels,
    people,
    roles,
    issuer: readIssuer(scope),
    toolchains,
  };
}

/** Returns the choices of the form's fields that hold ids. */
export const templateNames = (
  choices: Awaited<ReturnType<typeof loadTemplateChoices>>,
): Choices => ({
  inventory_id: choices.inventories,
  repository_id: choices.repositories,
  environment_id: choices.environments,
  cron_repository_id: choices.repositories,
  vault_key_id: choices.vaultKeys,
  build_template_id: choices.builds,
  toolchain_id: choices.toolchains,
  view_id: choices.views.map(({ id, title }) => ({ id, name: title })),
});
