import { answer, api } from "@/lib/http/api.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { environmentOperations } from "@/lib/environments/operations.ts";

export const handler = api(
  answer(
    environmentOperations.references,
    ({ deps, actor, ids }) =>
      referencesTo(deps, actor, ids.projectId, ["environments", ids.environmentId]),
  ),
);
