import { answer, api } from "@/lib/web/api.ts";
import { matcherOperations } from "@/lib/triggers/integrations/operations.ts";
import { matchers } from "@/lib/triggers/integrations/service.ts";

export const handler = api(
  answer(
    matcherOperations.list,
    ({ deps, actor, ids }) => matchers.list(deps, actor, ids.projectId, ids.integrationId),
  ),
  answer(
    matcherOperations.create,
    ({ deps, actor, ids, body }) =>
      matchers.create(deps, actor, ids.projectId, ids.integrationId, body),
  ),
);
