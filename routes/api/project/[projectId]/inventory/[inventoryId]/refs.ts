import { answer, api } from "@/lib/http/api.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { inventoryOperations } from "@/lib/inventories/operations.ts";

export const handler = api(
  answer(
    inventoryOperations.references,
    ({ deps, actor, ids }) =>
      referencesTo(deps, actor, ids.projectId, ["inventories", ids.inventoryId]),
  ),
);
