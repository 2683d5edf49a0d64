import type { References } from "../store/references.ts";
import type { InventorySummary } from "../resources/inventories/summaries.ts";
import type { LastUse } from "../tasks/last_uses.ts";

/** The objects that use a resource, and the latest task that did; null if none is known. */
export interface ResourceUse {
  usedBy: References;
  last: LastUse | null;
}

/** An inventory in a list. */
export interface ListedInventory extends InventorySummary {
  /**
   * Origin of `hosts`, if only Ansible can read the inventory: its latest test, or the id of the
   * task that reached them.
   */
  counted_by: "test" | number | null;
}
