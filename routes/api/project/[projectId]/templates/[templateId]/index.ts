import { answer, api } from "@/lib/web/api.ts";
import { templateOperations } from "@/lib/templates/operations.ts";
import { deleteTemplate } from "@/lib/upkeep/templates.ts";
import { getTemplate, updateTemplate } from "@/lib/templates/service.ts";

export const handler = api(
  answer(
    templateOperations.get,
    ({ deps, actor, ids }) => getTemplate(deps, actor, ids.projectId, ids.templateId),
  ),
  answer(
    templateOperations.update,
    ({ deps, actor, ids, body }) =>
      updateTemplate(deps, actor, ids.projectId, ids.templateId, body),
  ),
  answer(
    templateOperations.delete,
    ({ deps, actor, ids }) => deleteTemplate(deps, actor, ids.projectId, ids.templateId),
  ),
);
