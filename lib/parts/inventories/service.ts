import type { ProjectScope } from "../../access/scope.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import { transact } from "../../kv/transact.ts";
import { readTargets } from "../../references/service.ts";
import { inventoryRows } from "./repository.ts";
import type { InventoryForm, InventoryRow, InventoryView } from "./schema.ts";

/** The project's inventories. */
export async function listInventories({ deps, projectId }: ProjectScope): Promise<InventoryView[]> {
  return (await inventoryRows.list(deps.kv, projectId)).map(inventoryView);
}

/** One inventory. */
export async function getInventory(
  { deps, projectId }: ProjectScope,
  id: number,
): Promise<InventoryView> {
  return inventoryView(await inventoryRows.get(deps.kv, projectId, id));
}

/** Adds an inventory. Its keys and its repository must be of the same project. */
export async function createInventory(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  form: InventoryForm,
): Promise<InventoryView> {
  const id = await nextId(deps.kv, "inventories");
  const row: InventoryRow = { id, project_id: projectId, ...form };
  await transact(deps.kv, async (op) => {
    await requireTargets(deps.kv, op, row);
    await inventoryRows.insert(deps.kv, op, row);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "created" });
  });
  return inventoryView(row);
}

/** Changes an inventory. */
export async function updateInventory(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  form: InventoryForm,
): Promise<void> {
  const row: InventoryRow = { id, project_id: projectId, ...form };
  await transact(deps.kv, async (op) => {
    await requireTargets(deps.kv, op, row);
    await inventoryRows.update(deps.kv, op, projectId, id, () => row);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "updated" });
  });
}

/** Deletes an inventory that nothing uses. */
export async function deleteInventory(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const row = await inventoryRows.remove(deps.kv, op, projectId, id);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "deleted" });
  });
}

const requireTargets = (
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  { project_id, ssh_key_id, become_key_id, repository_id }: InventoryRow,
) =>
  readTargets(kv, op, project_id, {
    ssh_key_id: ssh_key_id === null ? null : ["keys", ssh_key_id],
    become_key_id: become_key_id === null ? null : ["keys", become_key_id],
    repository_id: repository_id === null ? null : ["repositories", repository_id],
  });

const eventOf = (row: InventoryRow) =>
  ({ projectId: row.project_id, object: "inventory", id: row.id, name: row.name }) as const;

const inventoryView = (row: InventoryRow): InventoryView => ({ ...row, holder_id: null });
