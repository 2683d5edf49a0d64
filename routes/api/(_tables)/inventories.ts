import { inventoryOperations } from "@/lib/parts/inventories/operations.ts";
import {
  createInventory,
  deleteInventory,
  getInventory,
  listInventories,
  updateInventory,
} from "@/lib/parts/inventories/service.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { bind } from "@/lib/web/bind.ts";

export const inventories = bind(inventoryOperations, {
  list: ({ scope }) => listInventories(scope),
  create: ({ scope, body }) => createInventory(scope, body),
  get: ({ scope, ids }) => getInventory(scope, ids.inventoryId),
  update: ({ scope, ids, body }) => updateInventory(scope, ids.inventoryId, body),
  delete: ({ scope, ids }) => deleteInventory(scope, ids.inventoryId),
  references: ({ scope, ids }) => referencesTo(scope, ["inventories", ids.inventoryId]),
});
