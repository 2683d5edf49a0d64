import type { Actor, Deps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { listEnvironments } from "../environments/service.ts";
import { listInventories } from "../inventories/service.ts";
import { listKeys } from "../keys/service.ts";
import { listRepositories } from "../repositories/service.ts";
import { listViews } from "../views/service.ts";
import type { TemplateView } from "./schema.ts";
import { listTemplates } from "./service.ts";

interface Named {
  id: number;
  name: string;
}

const namesOf = (rows: Named[]) => new Map(rows.map(({ id, name }) => [id, name]));

/** What the list of templates shows; of one view, or with null all. Throws 404 for unknown views. */
export async function loadTemplates(
  deps: Deps,
  actor: Actor,
  projectId: number,
  viewId: number | null,
) {
  const [templates, views, inventories, environments, repositories] = await Promise.all([
    listTemplates(deps, actor, projectId),
    listViews(deps, actor, projectId),
    listInventories(deps, actor, projectId),
    listEnvironments(deps, actor, projectId),
    listRepositories(deps, actor, projectId),
  ]);
  if (viewId !== null && !views.some(({ id }) => id === viewId)) throw notFound();
  return {
    templates: templates.filter(({ view_id }) => viewId === null || view_id === viewId)
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    views: views.toSorted((a, b) => a.position - b.position),
    viewId,
    names: {
      inventory: namesOf(inventories),
      environment: namesOf(environments),
      repository: namesOf(repositories),
    },
  };
}

/** What a template's form offers; a template never builds on itself. */
export async function loadTemplateChoices(
  deps: Deps,
  actor: Actor,
  projectId: number,
  templateId: number | null,
) {
  const [templates, views, inventories, environments, repositories, keys] = await Promise.all([
    listTemplates(deps, actor, projectId),
    listViews(deps, actor, projectId),
    listInventories(deps, actor, projectId),
    listEnvironments(deps, actor, projectId),
    listRepositories(deps, actor, projectId),
    listKeys(deps, actor, projectId),
  ]);
  const ofType = (type: TemplateView["type"]) =>
    templates.filter((template) => template.type === type && template.id !== templateId);
  return {
    inventories,
    repositories,
    environments,
    views,
    vaultKeys: keys.filter(({ type }) => type === "login_password"),
    builds: ofType("build"),
    deploys: ofType("deploy"),
  };
}

/** The only choice there is, for a new template: nobody should have to pick it. */
export function onlyChoices(
  choices: { inventories: Named[]; repositories: Named[]; environments: Named[] },
): object {
  const only = (rows: Named[]) => rows.length === 1 ? rows[0].id : null;
  return {
    inventory_id: only(choices.inventories),
    repository_id: only(choices.repositories),
    environment_id: only(choices.environments),
  };
}
