import { aliasOperations } from "@/lib/triggers/aliases/operations.ts";
import { deleteAlias } from "@/lib/triggers/aliases/service.ts";
import { answer, api } from "@/lib/web/api.ts";

export const handler = api(
  answer(
    aliasOperations.delete,
    ({ deps, actor, ids: { projectId, integrationId, aliasId } }) =>
      deleteAlias(deps, actor, { projectId, integrationId }, aliasId),
  ),
);
