import type { ProjectScope } from "../access/scope.ts";
import { digest } from "../base/version.ts";
import type { InventoryContents } from "../execution/ansible/inventory/graph.ts";
import { storeText } from "../store/stored_texts.ts";
import type { InventoryRow } from "../resources/inventories/schema.ts";

/** Names of the hosts and groups that Ansible has found in an inventory. */
export interface InventoryListing {
  hosts: string[];
  groups: string[];
}

type FileInventory = Pick<InventoryRow, "id" | "inventory" | "repository_id">;

/** Name of the stored listing of an inventory in a file. Another file has another name. */
export const listingName = ({ id, inventory, repository_id }: FileInventory): string =>
  `inventory ${id} ${digest(`${repository_id} ${inventory}`, 22)}`;

/** Returns the listing as it is stored. */
export function listingText({ groups }: InventoryContents): string {
  const hosts = [...new Set(groups.flatMap(({ hosts }) => hosts))];
  const listing: InventoryListing = { hosts, groups: groups.map(({ name }) => name) };
  return JSON.stringify(listing);
}

/** Stores the hosts and groups that a connection test has found, for the choices of surveys. */
export const keepListing = (
  { deps, projectId }: ProjectScope,
  inventory: FileInventory,
  contents: InventoryContents,
): Promise<void> =>
  storeText(deps.kv, projectId, listingName(inventory), {
    text: listingText(contents),
    readAt: deps.clock.now().toISOString(),
  });
