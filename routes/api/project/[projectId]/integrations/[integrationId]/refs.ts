import { answer, api } from "@/lib/http/api.ts";
import { integrationOperations } from "@/lib/integrations/operations.ts";
import { integrationReferences } from "@/lib/integrations/service.ts";

export const handler = api(
  answer(
    integrationOperations.references,
    ({ deps, actor, ids }) => integrationReferences(deps, actor, ids.projectId, ids.integrationId),
  ),
);
