import { operation } from "../../access/operation.ts";
import { resourceOperations } from "../common/operations.ts";
import { inventoryFilter } from "./filter.ts";
import { inventoryBody, inventorySchema } from "./schema.ts";

const operations = resourceOperations({
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

export const inventoryOperations = {
  ...operations,
  list: operation({ ...operations.list, query: inventoryFilter }),
};
