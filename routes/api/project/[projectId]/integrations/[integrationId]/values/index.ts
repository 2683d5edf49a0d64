import { answer, api } from "@/lib/web/api.ts";
import { extractValueOperations } from "@/lib/triggers/integrations/operations.ts";
import { extractValues } from "@/lib/triggers/integrations/service.ts";

export const handler = api(
  answer(
    extractValueOperations.list,
    ({ deps, actor, ids }) => extractValues.list(deps, actor, ids.projectId, ids.integrationId),
  ),
  answer(
    extractValueOperations.create,
    ({ deps, actor, ids, body }) =>
      extractValues.create(deps, actor, ids.projectId, ids.integrationId, body),
  ),
);
