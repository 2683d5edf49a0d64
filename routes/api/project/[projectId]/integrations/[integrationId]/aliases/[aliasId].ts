import { aliasOperations } from "@/lib/aliases/operations.ts";
import { deleteAlias } from "@/lib/aliases/service.ts";
import { answer, api } from "@/lib/http/api.ts";

export const handler = api(
  answer(
    aliasOperations.delete,
    ({ deps, actor, ids: { projectId, integrationId, aliasId } }) =>
      deleteAlias(deps, actor, { projectId, integrationId }, aliasId),
  ),
);
