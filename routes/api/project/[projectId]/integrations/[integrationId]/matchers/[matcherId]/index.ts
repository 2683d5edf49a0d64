import { answer, api } from "@/lib/web/api.ts";
import { matcherOperations } from "@/lib/triggers/integrations/operations.ts";
import { matchers } from "@/lib/triggers/integrations/service.ts";

export const handler = api(
  answer(
    matcherOperations.get,
    ({ deps, actor, ids }) =>
      matchers.get(deps, actor, ids.projectId, ids.integrationId, ids.matcherId),
  ),
  answer(
    matcherOperations.update,
    ({ deps, actor, ids, body }) =>
      matchers.update(deps, actor, ids.projectId, ids.integrationId, ids.matcherId, body),
  ),
  answer(
    matcherOperations.delete,
    ({ deps, actor, ids }) =>
      matchers.delete(deps, actor, ids.projectId, ids.integrationId, ids.matcherId),
  ),
);
