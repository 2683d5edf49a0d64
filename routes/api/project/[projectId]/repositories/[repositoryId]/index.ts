import { answer, api } from "@/lib/web/api.ts";
import { repositoryOperations } from "@/lib/parts/repositories/operations.ts";
import {
  deleteRepository,
  getRepository,
  updateRepository,
} from "@/lib/parts/repositories/service.ts";

export const handler = api(
  answer(
    repositoryOperations.get,
    ({ deps, actor, ids }) => getRepository(deps, actor, ids.projectId, ids.repositoryId),
  ),
  answer(
    repositoryOperations.update,
    ({ deps, actor, ids, body }) =>
      updateRepository(deps, actor, ids.projectId, ids.repositoryId, body),
  ),
  answer(
    repositoryOperations.delete,
    ({ deps, actor, ids }) => deleteRepository(deps, actor, ids.projectId, ids.repositoryId),
  ),
);
