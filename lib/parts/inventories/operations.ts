import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { referencesSchema } from "../../references/schema.ts";
import { inventoryBody, inventorySchema } from "./schema.ts";

const tag = "Inventory";

export const inventoryOperations = {
  list: operation({
    id: "listInventories",
    method: "GET",
    path: "/project/{projectId}/inventory",
    tag,
    summary: "The project's inventories",
    access: "member",
    answer: z.array(inventorySchema),
    sort: ["name", "type"],
  }),
  create: operation({
    id: "createInventory",
    method: "POST",
    path: "/project/{projectId}/inventory",
    tag,
    summary: "Add an inventory",
    access: "manage_resources",
    body: inventoryBody,
    answer: inventorySchema,
  }),
  get: operation({
    id: "getInventory",
    method: "GET",
    path: "/project/{projectId}/inventory/{inventoryId}",
    tag,
    summary: "One inventory",
    access: "member",
    answer: inventorySchema,
  }),
  update: operation({
    id: "updateInventory",
    method: "PUT",
    path: "/project/{projectId}/inventory/{inventoryId}",
    tag,
    summary: "Change an inventory",
    access: "manage_resources",
    body: inventoryBody,
  }),
  delete: operation({
    id: "deleteInventory",
    method: "DELETE",
    path: "/project/{projectId}/inventory/{inventoryId}",
    tag,
    summary: "Delete an inventory that nothing uses",
    access: "manage_resources",
    errors: [409],
  }),
  references: operation({
    id: "getInventoryReferences",
    method: "GET",
    path: "/project/{projectId}/inventory/{inventoryId}/refs",
    tag,
    summary: "What uses an inventory, and so keeps it from being deleted",
    access: "member",
    answer: referencesSchema,
  }),
};
