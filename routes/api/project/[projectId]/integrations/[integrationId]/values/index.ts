import { answer, api } from "@/lib/http/api.ts";
import { extractValueOperations } from "@/lib/integrations/operations.ts";
import { extractValues } from "@/lib/integrations/service.ts";

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
