import { answer, api } from "@/lib/web/api.ts";
import { environmentOperations } from "@/lib/parts/environments/operations.ts";
import { createEnvironment, listEnvironments } from "@/lib/parts/environments/service.ts";

export const handler = api(
  answer(
    environmentOperations.list,
    ({ deps, actor, ids }) => listEnvironments(deps, actor, ids.projectId),
  ),
  answer(
    environmentOperations.create,
    ({ deps, actor, ids, body }) => createEnvironment(deps, actor, ids.projectId, body),
  ),
);
