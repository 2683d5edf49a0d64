import { answer, api } from "@/lib/web/api.ts";
import { extractValueOperations } from "@/lib/triggers/integrations/operations.ts";
import { extractValues } from "@/lib/triggers/integrations/service.ts";

export const handler = api(
  answer(
    extractValueOperations.references,
    ({ deps, actor, ids }) =>
      extractValues.references(deps, actor, ids.projectId, ids.integrationId, ids.valueId),
  ),
);
