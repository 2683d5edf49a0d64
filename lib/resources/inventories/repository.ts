import { collection } from "../../store/collection.ts";
import type { Ref } from "../../store/keys.ts";
import { listedKeys } from "../common/key_list.ts";
import type { InventoryRow } from "./schema.ts";

export const inventoryRows = collection<InventoryRow>("inventories", {
  references: ({ become_key_id, repository_id, toolchain_id, ...row }) => {
    const used: Ref[] = listedKeys(row).map(({ id }) => ["keys", id]);
    if (become_key_id !== null) used.push(["keys", become_key_id]);
    if (toolchain_id) used.push(["toolchains", toolchain_id]);
    if (repository_id !== null) used.push(["repositories", repository_id]);
    return used;
  },
  texts: ["inventory"],
});
