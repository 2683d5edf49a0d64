import { answer, api } from "@/lib/http/api.ts";
import { projectOperations } from "@/lib/projects/operations.ts";
import { getProjectRole } from "@/lib/projects/service.ts";

export const handler = api(
  answer(
    projectOperations.role,
    ({ deps, actor, ids }) => getProjectRole(deps, actor, ids.projectId),
  ),
);
