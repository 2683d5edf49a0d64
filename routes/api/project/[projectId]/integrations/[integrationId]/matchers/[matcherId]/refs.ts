import { answer, api } from "@/lib/web/api.ts";
import { matcherOperations } from "@/lib/triggers/integrations/operations.ts";
import { matchers } from "@/lib/triggers/integrations/service.ts";

export const handler = api(
  answer(
    matcherOperations.references,
    ({ deps, actor, ids }) =>
      matchers.references(deps, actor, ids.projectId, ids.integrationId, ids.matcherId),
  ),
);
