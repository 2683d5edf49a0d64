import { answer, api } from "@/lib/web/api.ts";
import { projectOperations } from "@/lib/upkeep/projects/operations.ts";
import { deleteProject, getProject, updateProject } from "@/lib/upkeep/projects/service.ts";

export const handler = api(
  answer(
    projectOperations.get,
    ({ deps, actor, ids }) => getProject(deps, actor, ids.projectId),
  ),
  answer(
    projectOperations.update,
    ({ deps, actor, ids, body }) => updateProject(deps, actor, ids.projectId, body),
  ),
  answer(
    projectOperations.delete,
    ({ deps, actor, ids, body, query }) =>
      deleteProject(deps, actor, ids.projectId, { force: body.force || query.force || false }),
  ),
);
