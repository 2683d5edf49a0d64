import { answer, api } from "@/lib/web/api.ts";
import { projectOperations } from "@/lib/upkeep/projects/operations.ts";
import { getProjectRole } from "@/lib/upkeep/projects/service.ts";

export const handler = api(
  answer(
    projectOperations.role,
    ({ deps, actor, ids }) => getProjectRole(deps, actor, ids.projectId),
  ),
);
