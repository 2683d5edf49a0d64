import { answer, api } from "@/lib/web/api.ts";
import { templateOperations } from "@/lib/templates/operations.ts";
import { createTemplate, listTemplates } from "@/lib/templates/service.ts";

export const handler = api(
  answer(
    templateOperations.list,
    ({ deps, actor, ids, url }) =>
      listTemplates(deps, actor, ids.projectId, { sort: url.searchParams }),
  ),
  answer(
    templateOperations.create,
    ({ deps, actor, ids, body }) => createTemplate(deps, actor, ids.projectId, body),
  ),
);
