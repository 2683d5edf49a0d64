import { answer, api } from "@/lib/web/api.ts";
import { inventoryOperations } from "@/lib/parts/inventories/operations.ts";
import { createInventory, listInventories } from "@/lib/parts/inventories/service.ts";

export const handler = api(
  answer(
    inventoryOperations.list,
    ({ deps, actor, ids }) => listInventories(deps, actor, ids.projectId),
  ),
  answer(
    inventoryOperations.create,
    ({ deps, actor, ids, body }) => createInventory(deps, actor, ids.projectId, body),
  ),
);
