import { answer, api } from "@/lib/web/api.ts";
import { repositoryOperations } from "@/lib/parts/repositories/operations.ts";
import { createRepository, listRepositories } from "@/lib/parts/repositories/service.ts";

export const handler = api(
  answer(
    repositoryOperations.list,
    ({ deps, actor, ids, url }) => listRepositories(deps, actor, ids.projectId, url.searchParams),
  ),
  answer(
    repositoryOperations.create,
    ({ deps, actor, ids, body }) => createRepository(deps, actor, ids.projectId, body),
  ),
);
