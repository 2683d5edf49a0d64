import { answer, api } from "@/lib/web/api.ts";
import { integrationOperations } from "@/lib/triggers/integrations/operations.ts";
import {
  deleteIntegration,
  getIntegration,
  updateIntegration,
} from "@/lib/triggers/integrations/service.ts";

export const handler = api(
  answer(
    integrationOperations.get,
    ({ deps, actor, ids }) => getIntegration(deps, actor, ids.projectId, ids.integrationId),
  ),
  answer(
    integrationOperations.update,
    ({ deps, actor, ids, body }) =>
      updateIntegration(deps, actor, ids.projectId, ids.integrationId, body),
  ),
  answer(
    integrationOperations.delete,
    ({ deps, actor, ids }) => deleteIntegration(deps, actor, ids.projectId, ids.integrationId),
  ),
);
