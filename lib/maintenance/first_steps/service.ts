import type { ProjectScope } from "../../access/scope.ts";
import { grants } from "../../access/permissions.ts";
import { inventoryRows } from "../../resources/inventories/repository.ts";
import { keyRows } from "../../resources/keys/repository.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { listHistory } from "../../tasks/history/history.ts";
import { listOutlines } from "../../templates/outlines.ts";

/** The steps to a project's first task, in this order. */
export type FirstStep = "keys" | "repositories" | "inventory" | "templates" | "run";

export interface FirstSteps {
  steps: { step: FirstStep; done: boolean }[];
  /** Id of the template to run, if there is exactly one. */
  templateId: number | null;
}

/**
 * Returns the steps until a project's first task, limited to what the reader may do. Null once a
 * task was started, and for people who cannot do any of the steps.
 */
export async function firstSteps(
  scope: ProjectScope,
): Promise<FirstSteps | null> {
  const { deps: { kv }, projectId, permissions } = scope;
  const mayManage = grants(permissions, "manage_resources");
  if (!grants(permissions, "run_tasks")) return null;
  // Checks for drift are no runs.
  if ((await listHistory(kv, projectId, { limit: 1 })).tasks.length > 0) return null;
  const [keys, repositories, inventories, templates] = await Promise.all([
    keyRows.list(kv, projectId),
    repositoryRows.list(kv, projectId),
    inventoryRows.list(kv, projectId),
    listOutlines(scope),
  ]);
  if (!mayManage && templates.length === 0) return null;
  const done: Record<FirstStep, boolean> = {
    // Someone who has added a repository has already decided whether it needs a key.
    keys: keys.some(({ type }) => type !== "none") || repositories.length > 0,
    repositories: repositories.length > 0,
    inventory: inventories.length > 0,
    templates: templates.length > 0,
    run: false,
  };
  const steps: FirstStep[] = mayManage
    ? ["keys", "repositories", "inventory", "templates", "run"]
    : ["run"];
  return {
    steps: steps.map((step) => ({ step, done: done[step] })),
    templateId: templates.length === 1 ? templates[0].id : null,
  };
}
