import type { ProjectScope } from "../access/scope.ts";
import { splitLabels } from "../base/text/labels.ts";
import { environmentRows } from "../resources/environments/repository.ts";
import { repositoryRows } from "../resources/repositories/repository.ts";
import { setsLimit } from "../queue/inputs/overrides.ts";
import { findHead } from "../results/result_store.ts";
import { needsRunner } from "../runners/rows.ts";
import { findTask } from "../model/tasks.ts";
import type { TemplateView } from "../templates/schema.ts";
import type { ListedInventory } from "./schema.ts";
import { listInventories } from "./service.ts";
import type { Store } from "../store/store.ts";

/** Resources of a new task, unless it overrides them. */
export interface StartTargets {
  /** Null if it was deleted. `hosts` is null if their number is not known. */
  inventory: { name: string; hosts: number | null } | null;
  environments: string[];
  /** Name of the repository. */
  repository: string;
  /** Branch of the template or, without one, of the repository. */
  branch: string;
  /** Labels that its runner must have; null if servers may run it. */
  labels: string[] | null;
  /** Whether another inventory may need other labels. */
  hasInventoryLabels: boolean;
  /** Number of hosts that the task runs on; null if it is not known. */
  hosts: number | null;
}

/** Returns the resources of a new task of the template. */
export async function findStartTargets(
  scope: ProjectScope,
  template: TemplateView,
): Promise<StartTargets> {
  const { deps: { kv }, project, projectId } = scope;
  const [inventories, repository, reached, ...environments] = await Promise.all([
    listInventories(scope),
    repositoryRows.find(kv, projectId, template.repository_id),
    countLastHosts(kv, template),
    ...template.environment_ids.map((id) => environmentRows.find(kv, projectId, id)),
  ]);
  const inventory = inventories.find(({ id }) => id === template.inventory_id) ?? null;
  const labels = [...new Set([...splitLabels(template.runner_tag), ...inventory?.labels ?? []])];
  return {
    inventory,
    environments: environments.flatMap((found) => found?.row.name ?? []),
    repository: repository?.row.name ?? "",
    branch: template.git_branch || repository?.row.git_branch || "",
    labels: needsRunner(labels, project) ? labels : null,
    hasInventoryLabels: (inventory?.labels ?? []).length > 0,
    hosts: inventory && !setsLimit(template) ? hostsOfRun(inventory, reached) : null,
  };
}

/**
 * Returns the number of hosts of a run without a limit, if it is certain. A playbook may address
 * only some hosts of its inventory, which shows in the number that its last run has `reached`. Only
 * Ansible can read an inventory in a file, so that number stands for it.
 */
function hostsOfRun({ type, hosts }: ListedInventory, reached: number | null): number | null {
  if (type === "file") return reached;
  return reached === null || hosts === null || reached >= hosts ? hosts : null;
}

/** Returns the number of hosts that the last task reached, if it succeeded as the template is. */
async function countLastHosts(
  kv: Store,
  { project_id, inventory_id, playbook, last_task_id }: TemplateView,
): Promise<number | null> {
  const last = last_task_id === null ? null : await findTask(kv, project_id, last_task_id);
  const isLike = last?.status === "success" && last.inventory_id === inventory_id &&
    last.playbook === playbook && last.limit.length === 0 && last.arguments === null;
  return isLike ? (await findHead(kv, last.id))?.hosts ?? null : null;
}
