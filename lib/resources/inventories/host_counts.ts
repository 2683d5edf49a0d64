import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { InventoryRow } from "./schema.ts";
import type { InventorySummary } from "./summaries.ts";

/** Number of hosts that Ansible found in an inventory that lies in a repository. */
interface HostCountRow extends Pick<InventoryRow, "repository_id"> {
  path: string;
  hosts: number;
}

/**
 * Stores the number of hosts that Ansible found in an inventory. Does nothing if its text contains
 * them, or if the inventory was changed meanwhile.
 */
export async function storeHostCount(
  kv: Store,
  { entry, row }: { entry: Deno.KvEntry<InventoryRow>; row: InventoryRow },
  hosts: number,
): Promise<void> {
  const { project_id, id, type, inventory: path, repository_id } = row;
  if (type !== "file") return;
  const count: HostCountRow = { path, repository_id, hosts };
  await kv.atomic().check(entry).set(rowKeys.hostCount(project_id, id), count).commit();
}

/** Returns the stored numbers of hosts, by inventory, without those of earlier files. */
export async function readHostCounts(
  kv: Store,
  projectId: number,
  inventories: readonly Pick<InventorySummary, "id" | "path" | "repository_id">[],
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const byId = new Map(inventories.map((row) => [row.id, row]));
  const entries = kv.list<HostCountRow>({ prefix: rowKeys.hostCounts(projectId) }, {
    limit: 10_000,
    batchSize: 500,
  });
  for await (const { key, value } of entries) {
    const row = byId.get(key.at(-1) as number);
    const isSame = row?.path === value.path && row.repository_id === value.repository_id;
    if (isSame) counts.set(row.id, value.hosts);
  }
  return counts;
}
