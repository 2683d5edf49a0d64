import * as z from "zod";
import { resourceOperations } from "../common/operations.ts";
import { inventoryBody, inventorySchema, type InventoryView } from "./schema.ts";
import { inventoryService } from "./service.ts";
import { appFilter, isForAnsible, queryNumber } from "../../base/lists/list_query.ts";

/**
 * Filters of a list of inventories. The front ends of Semaphore ask for the inventories of an app
 * or of a template, where `new` is a template that is not saved yet. No inventory belongs to a
 * template.
 */
const inventoryFilter = z.object({
  app: appFilter,
  template_id: z.union([z.literal("new").transform(() => undefined), queryNumber()], {
    error: "errors.integer",
  }).describe("Only inventories of this template alone, of which there are none").optional(),
});

const filterInventories = (
  all: InventoryView[],
  { app, template_id }: z.output<typeof inventoryFilter>,
): InventoryView[] => isForAnsible(app) && template_id === undefined ? all : [];

export const inventoryOperations = resourceOperations({
  names: ["Inventory", "Inventories"],
  nouns: ["an inventory", "inventories of a project"],
  path: "inventory",
  param: "inventoryId",
  tag: "Inventory",
  body: inventoryBody,
  change: inventoryBody,
  answer: inventorySchema,
  permission: "manage_resources",
  service: () => inventoryService,
  filter: { query: inventoryFilter, apply: filterInventories },
  sort: ["name", "type"],
  details: {
    delete: "Refused while something uses it.",
  },
  errors: { delete: [409] },
});
