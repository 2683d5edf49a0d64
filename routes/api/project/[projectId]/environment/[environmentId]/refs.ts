import { answer, api } from "@/lib/web/api.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { environmentOperations } from "@/lib/parts/environments/operations.ts";

export const handler = api(
  answer(
    environmentOperations.references,
    ({ deps, actor, ids }) =>
      referencesTo(deps, actor, ids.projectId, ["environments", ids.environmentId]),
  ),
);
