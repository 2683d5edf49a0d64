import { answer, api } from "@/lib/http/api.ts";
import { extractValueOperations } from "@/lib/integrations/operations.ts";
import { extractValues } from "@/lib/integrations/service.ts";

export const handler = api(
  answer(
    extractValueOperations.references,
    ({ deps, actor, ids }) =>
      extractValues.references(deps, actor, ids.projectId, ids.integrationId, ids.valueId),
  ),
);
