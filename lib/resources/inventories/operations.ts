import { resourceOperations } from "../common/operations.ts";
import { filterInventories, inventoryFilter } from "./filter.ts";
import { inventoryBody, inventorySchema } from "./schema.ts";
import { inventoryService } from "./service.ts";

export const inventoryOperations = resourceOperations({
  names: ["Inventory", "Inventories"],
  nouns: ["an inventory", "inventories of a project"],
  path: "inventory",
  param: "inventoryId",
  tag: "Inventory",
  body: inventoryBody,
  change: inventoryBody,
  answer: inventorySchema,
  service: () => inventoryService,
  filter: { query: inventoryFilter, apply: filterInventories },
  sort: ["name", "type"],
  details: {
    delete: "Refused while something uses it.",
  },
  errors: { delete: [409] },
});
