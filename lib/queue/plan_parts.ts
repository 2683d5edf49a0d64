import type { Deps } from "../access/deps.ts";
import { AppError } from "../base/errors.ts";
import type { InventoryPlan } from "../execution/ansible/plan.ts";
import type { PlanKey, RepositoryPlan } from "../execution/run/plan.ts";
import { type Checked, pinOf } from "./pins.ts";
import { inventoryRows } from "../parts/inventories/repository.ts";
import { repositoryRows } from "../parts/repositories/repository.ts";
import { keyOf, present, repositoryPlan, type WantedCommit } from "../parts/run_parts.ts";
import type { TaskRow } from "../tasks/schema.ts";

/** Returns the playbook's repository. */
export const repositoryFor = (
  deps: Deps,
  task: TaskRow,
  checked: Checked,
): Promise<RepositoryPlan> =>
  checkedRepository(deps, task, checked, task.repository_id, {
    branch: task.git_branch,
    commit: task.commit_hash,
    ofBranch: task.commit_asked,
  });

async function checkedRepository(
  deps: Deps,
  { project_id: projectId }: TaskRow,
  checked: Checked,
  id: number,
  wanted: WantedCommit,
): Promise<RepositoryPlan> {
  const row = await present("repository", repositoryRows.find(deps.kv, projectId, id));
  return await repositoryPlan(deps, projectId, checked("repository", row), wanted);
}

export async function inventoryOf(
  deps: Deps,
  task: TaskRow,
  checked: Checked,
): Promise<InventoryPlan> {
  const { project_id: projectId } = task;
  const row = task.preview
    ? (await pinOf(deps, task)).inventory
    : await present("inventory", inventoryRows.find(deps.kv, projectId, task.inventory_id));
  return {
    type: row.type,
    content: row.inventory,
    repository: row.repository_id === null || row.repository_id === task.repository_id
      ? null
      : await checkedRepository(deps, task, checked, row.repository_id, {
        commit: commitOf(task),
      }),
    userKey: await keyOf(deps, projectId, row.ssh_key_id),
    becomeKey: row.become_key_id === null
      ? null
      : await becomeKeyOf(deps, projectId, row.become_key_id),
  };
}

/**
 * Returns the commit of the preview for an inventory file's repository. Without a preview, the
 * latest is used.
 */
const commitOf = ({ preview, inventory_commit }: TaskRow) => preview ? inventory_commit : undefined;

async function becomeKeyOf(deps: Deps, projectId: number, id: number): Promise<PlanKey> {
  const key = await keyOf(deps, projectId, id);
  if (key.type === "ssh") throw new AppError(400, "errors.run.become_key");
  return key;
}

/** Returns the passwords of a task's vaults. A vault whose key has type "none" is left out. */
export async function vaultsOf(deps: Deps, { project_id, vaults }: TaskRow) {
  const found = await Promise.all(vaults.map((vault) => vaultOf(deps, project_id, vault)));
  return found.filter((vault) => vault !== null);
}

async function vaultOf(
  deps: Deps,
  projectId: number,
  { vault_key_id, name }: TaskRow["vaults"][number],
) {
  const key = await keyOf(deps, projectId, vault_key_id);
  if (key.type === "none") return null;
  if (key.type !== "login_password") throw new AppError(400, "errors.run.vault_key");
  return { name: name || "default", password: key.password };
}
