import { aliasOperations } from "@/lib/triggers/aliases/operations.ts";
import { deleteAnyAlias } from "@/lib/triggers/aliases/service.ts";
import { answer, api } from "@/lib/web/api.ts";

export const handler = api(
  answer(
    aliasOperations.deleteOfProject,
    ({ deps, actor, ids: { projectId, aliasId } }) =>
      deleteAnyAlias(deps, actor, projectId, aliasId),
  ),
);
