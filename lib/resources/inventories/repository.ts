import { collection } from "../../kv/collection.ts";
import type { Ref } from "../../kv/keys.ts";
import type { InventoryRow } from "./schema.ts";

export const inventoryRows = collection<InventoryRow>("inventories", {
  references: ({ ssh_key_id, become_key_id, repository_id }) => {
    const used: Ref[] = [];
    if (ssh_key_id !== null) used.push(["keys", ssh_key_id]);
    if (become_key_id !== null) used.push(["keys", become_key_id]);
    if (repository_id !== null) used.push(["repositories", repository_id]);
    return used;
  },
  texts: ["inventory"],
});
