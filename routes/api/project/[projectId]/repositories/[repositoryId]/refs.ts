import { answer, api } from "@/lib/web/api.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { repositoryOperations } from "@/lib/parts/repositories/operations.ts";

export const handler = api(
  answer(
    repositoryOperations.references,
    ({ deps, actor, ids }) =>
      referencesTo(deps, actor, ids.projectId, ["repositories", ids.repositoryId]),
  ),
);
