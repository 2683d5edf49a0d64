import { answer, api } from "@/lib/web/api.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { templateOperations } from "@/lib/templates/operations.ts";

export const handler = api(
  answer(
    templateOperations.references,
    ({ deps, actor, ids }) =>
      referencesTo(deps, actor, ids.projectId, ["templates", ids.templateId]),
  ),
);
