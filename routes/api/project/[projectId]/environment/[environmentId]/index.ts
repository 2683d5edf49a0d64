import { answer, api } from "@/lib/web/api.ts";
import { environmentOperations } from "@/lib/parts/environments/operations.ts";
import {
  deleteEnvironment,
  getEnvironment,
  updateEnvironment,
} from "@/lib/parts/environments/service.ts";

export const handler = api(
  answer(
    environmentOperations.get,
    ({ deps, actor, ids }) => getEnvironment(deps, actor, ids.projectId, ids.environmentId),
  ),
  answer(
    environmentOperations.update,
    ({ deps, actor, ids, body }) =>
      updateEnvironment(deps, actor, ids.projectId, ids.environmentId, body),
  ),
  answer(
    environmentOperations.delete,
    ({ deps, actor, ids }) => deleteEnvironment(deps, actor, ids.projectId, ids.environmentId),
  ),
);
