import { answer, api } from "@/lib/http/api.ts";
import { matcherOperations } from "@/lib/integrations/operations.ts";
import { matchers } from "@/lib/integrations/service.ts";

export const handler = api(
  answer(
    matcherOperations.references,
    ({ deps, actor, ids }) =>
      matchers.references(deps, actor, ids.projectId, ids.integrationId, ids.matcherId),
  ),
);
