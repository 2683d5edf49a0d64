import { answer, api } from "@/lib/web/api.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { inventoryOperations } from "@/lib/parts/inventories/operations.ts";

export const handler = api(
  answer(
    inventoryOperations.references,
    ({ deps, actor, ids }) =>
      referencesTo(deps, actor, ids.projectId, ["inventories", ids.inventoryId]),
  ),
);
