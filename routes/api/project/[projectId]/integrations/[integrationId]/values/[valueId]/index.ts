import { answer, api } from "@/lib/web/api.ts";
import { extractValueOperations } from "@/lib/triggers/integrations/operations.ts";
import { extractValues } from "@/lib/triggers/integrations/service.ts";

export const handler = api(
  answer(
    extractValueOperations.get,
    ({ deps, actor, ids }) =>
      extractValues.get(deps, actor, ids.projectId, ids.integrationId, ids.valueId),
  ),
  answer(
    extractValueOperations.update,
    ({ deps, actor, ids, body }) =>
      extractValues.update(deps, actor, ids.projectId, ids.integrationId, ids.valueId, body),
  ),
  answer(
    extractValueOperations.delete,
    ({ deps, actor, ids }) =>
      extractValues.delete(deps, actor, ids.projectId, ids.integrationId, ids.valueId),
  ),
);
