import { answer, api } from "@/lib/web/api.ts";
import { inventoryOperations } from "@/lib/parts/inventories/operations.ts";
import { deleteInventory, getInventory, updateInventory } from "@/lib/parts/inventories/service.ts";

export const handler = api(
  answer(
    inventoryOperations.get,
    ({ deps, actor, ids }) => getInventory(deps, actor, ids.projectId, ids.inventoryId),
  ),
  answer(
    inventoryOperations.update,
    ({ deps, actor, ids, body }) =>
      updateInventory(deps, actor, ids.projectId, ids.inventoryId, body),
  ),
  answer(
    inventoryOperations.delete,
    ({ deps, actor, ids }) => deleteInventory(deps, actor, ids.projectId, ids.inventoryId),
  ),
);
