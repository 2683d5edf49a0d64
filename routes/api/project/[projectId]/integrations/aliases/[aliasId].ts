import { aliasOperations } from "@/lib/aliases/operations.ts";
import { deleteAnyAlias } from "@/lib/aliases/service.ts";
import { answer, api } from "@/lib/http/api.ts";

export const handler = api(
  answer(
    aliasOperations.deleteOfProject,
    ({ deps, actor, ids: { projectId, aliasId } }) =>
      deleteAnyAlias(deps, actor, projectId, aliasId),
  ),
);
