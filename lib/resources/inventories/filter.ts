import * as z from "zod";
import { appFilter, isForAnsible, queryNumber } from "../../base/lists/list_query.ts";
import type { InventoryView } from "./schema.ts";

/**
 * Filters of a list of inventories. The front ends of Semaphore ask for those of an app, and for
 * those that belong to a template, which none does here. A new template is `new`.
 */
export const inventoryFilter = z.object({
  app: appFilter,
  template_id: z.union([z.literal("new").transform(() => undefined), queryNumber()], {
    error: "errors.integer",
  }).describe("Only inventories of this template alone, of which there are none").optional(),
});

export const filterInventories = (
  all: InventoryView[],
  { app, template_id }: z.output<typeof inventoryFilter>,
): InventoryView[] => isForAnsible(app) && template_id === undefined ? all : [];
