import type { ProjectScope } from "../../access/scope.ts";
import { createPause } from "../../base/time/pause.ts";
import { cachedWhile } from "../../store/cached.ts";
import { rowKeys } from "../../store/keys.ts";
import { inventoryRows } from "./repository.ts";
import type { InventoryView } from "./schema.ts";
import { hostsOf } from "./static_hosts.ts";

/** An inventory without its text. */
export interface InventorySummary
  extends Pick<InventoryView, "id" | "name" | "type" | "repository_id"> {
  /** Labels of runners that it requires. */
  labels: string[];
  /** Path of a `file` in its repository; null for others. */
  path: string | null;
  /** Number of hosts in its text; null for a `file`, and for texts beyond the limit. */
  hosts: number | null;
  /** Whether there are more hosts than were counted. */
  is_more: boolean;
}

/** Limit of the texts that are parsed for one project, because parsing takes time. */
const TEXTS_LENGTH_MAX = 8 * 1024 * 1024;

/** Ranges stand for many hosts, so that a short text can name more than anyone has. */
const HOSTS_MAX = 20_000;

/** Returns summaries of the project's inventories. They are parsed again only after a change. */
export function summarizeInventories(
  { deps: { kv }, projectId }: ProjectScope,
): Promise<InventorySummary[]> {
  const stamps = [rowKeys.resourcesStamp("inventories")];
  return cachedWhile(kv, stamps, `inventories of ${projectId}`, async () => {
    const pause = createPause();
    const summaries: InventorySummary[] = [];
    let length = 0;
    for (const row of await inventoryRows.list(kv, projectId)) {
      const { id, name, type, inventory, repository_id, runner_labels: labels = [] } = row;
      if (pause.isDue()) await pause.take();
      const isFile = type === "file";
      if (!isFile) length += inventory.length;
      const isRead = !isFile && length <= TEXTS_LENGTH_MAX;
      const hosts = isRead ? hostsOf(type, inventory, HOSTS_MAX).length : null;
      const path = isFile ? inventory : null;
      const is_more = hosts === HOSTS_MAX;
      summaries.push({ id, name, type, repository_id, labels, path, hosts, is_more });
    }
    return summaries;
  });
}
