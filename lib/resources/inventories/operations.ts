import { resourceOperations } from "../common/operations.ts";
import { inventoryBody, inventorySchema } from "./schema.ts";

export const inventoryOperations = resourceOperations({
  names: ["Inventory", "Inventories"],
  nouns: ["an inventory", "inventories of a project"],
  path: "inventory",
  param: "inventoryId",
  tag: "Inventory",
  body: inventoryBody,
  change: inventoryBody,
  answer: inventorySchema,
  sort: ["name", "type"],
  details: {
    delete: "Refused while something uses it.",
  },
  errors: { delete: [409] },
});
