import { resourceOperations } from "../resources/operations.ts";
import { inventoryBody, inventorySchema } from "./schema.ts";

export const inventoryOperations = resourceOperations({
  names: ["Inventory", "Inventories"],
  path: "inventory",
  param: "inventoryId",
  tag: "Inventory",
  body: inventoryBody,
  change: inventoryBody,
  answer: inventorySchema,
  sort: ["name", "type"],
  summaries: {
    list: "The project's inventories",
    create: "Add an inventory",
    get: "One inventory",
    update: "Change an inventory",
    delete: "Delete an inventory that nothing uses",
    references: "What uses an inventory, and so keeps it from being deleted",
  },
  errors: { delete: [409] },
});
