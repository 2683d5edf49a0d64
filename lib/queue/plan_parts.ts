import type { Deps } from "../access/deps.ts";
import { AppError } from "../base/errors.ts";
import type { InventoryPlan } from "../execution/ansible/plan.ts";
import { parseAddress } from "../execution/git/address.ts";
import type { PlanKey, RepositoryPlan } from "../execution/run/plan.ts";
import { inventoryRows } from "../parts/inventories/repository.ts";
import { keyRows } from "../parts/keys/repository.ts";
import { openSecret } from "../parts/keys/secret.ts";
import { repositoryRows } from "../parts/repositories/repository.ts";
import { openUrl } from "../parts/repositories/sealed_url.ts";
import type { TaskRow } from "../tasks/schema.ts";

/** The repository, with its key. */
export async function repositoryOf(
  deps: Deps,
  projectId: number,
  id: number,
  { branch = null, commit = null, ofBranch = false }: Partial<
    Pick<RepositoryPlan, "branch" | "commit" | "ofBranch">
  > = {},
): Promise<RepositoryPlan> {
  const row = await present("repository", repositoryRows.find(deps.kv, projectId, id));
  const key = await keyOf(deps, projectId, row.ssh_key_id);
  return {
    id,
    address: parseAddress(await openUrl(deps.secrets, row), key.type),
    branch: branch ?? (row.git_branch || null),
    commit,
    ofBranch,
    key,
  };
}

export async function inventoryOf(deps: Deps, task: TaskRow): Promise<InventoryPlan> {
  const { project_id: projectId } = task;
  const row = await present("inventory", inventoryRows.find(deps.kv, projectId, task.inventory_id));
  return {
    type: row.type,
    content: row.inventory,
    repository: row.repository_id === null || row.repository_id === task.repository_id
      ? null
      : await repositoryOf(deps, projectId, row.repository_id),
    userKey: await keyOf(deps, projectId, row.ssh_key_id),
    becomeKey: row.become_key_id === null
      ? null
      : await becomeKeyOf(deps, projectId, row.become_key_id),
  };
}

async function becomeKeyOf(deps: Deps, projectId: number, id: number): Promise<PlanKey> {
  const key = await keyOf(deps, projectId, id);
  if (key.type === "ssh") throw new AppError(400, "errors.run.become_key");
  return key;
}

export async function vaultOf(
  deps: Deps,
  projectId: number,
  { vault_key_id, name }: TaskRow["vaults"][number],
) {
  const key = await keyOf(deps, projectId, vault_key_id);
  if (key.type !== "login_password") throw new AppError(400, "errors.run.vault_key");
  return { name: name || "default", password: key.password };
}

/** A key with its secrets; one of no type for none. */
async function keyOf(deps: Deps, projectId: number, id: number | null): Promise<PlanKey> {
  if (id === null) return { type: "none" };
  const row = await present("key", keyRows.find(deps.kv, projectId, id));
  if (row.type !== "none" && row.secret === null) {
    throw new AppError(400, "errors.run.empty_key", { name: row.name });
  }
  return await openSecret(deps.secrets, row);
}

/** The row; or an error that says which kind of object the run misses. */
export async function present<T>(kind: string, finding: Promise<{ row: T } | null>): Promise<T> {
  const found = await finding;
  if (!found) throw new AppError(400, `errors.run.missing_${kind}`);
  return found.row;
}
