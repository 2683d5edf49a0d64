import { answer, api } from "@/lib/web/api.ts";
import { integrationOperations } from "@/lib/triggers/integrations/operations.ts";
import { createIntegration, listIntegrations } from "@/lib/triggers/integrations/service.ts";

export const handler = api(
  answer(
    integrationOperations.list,
    ({ deps, actor, ids }) => listIntegrations(deps, actor, ids.projectId),
  ),
  answer(
    integrationOperations.create,
    ({ deps, actor, ids, body }) => createIntegration(deps, actor, ids.projectId, body),
  ),
);
