import { answer, api } from "@/lib/web/api.ts";
import { integrationOperations } from "@/lib/triggers/integrations/operations.ts";
import { integrationReferences } from "@/lib/triggers/integrations/service.ts";

export const handler = api(
  answer(
    integrationOperations.references,
    ({ deps, actor, ids }) => integrationReferences(deps, actor, ids.projectId, ids.integrationId),
  ),
);
