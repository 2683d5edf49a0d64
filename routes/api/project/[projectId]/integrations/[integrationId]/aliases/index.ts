import { aliasOperations } from "@/lib/aliases/operations.ts";
import { createAlias, listAliases } from "@/lib/aliases/service.ts";
import { answer, api } from "@/lib/http/api.ts";

export const handler = api(
  answer(
    aliasOperations.list,
    ({ deps, actor, ids: { projectId, integrationId }, url }) =>
      listAliases(deps, actor, { projectId, integrationId }, url.origin),
  ),
  answer(
    aliasOperations.create,
    ({ deps, actor, ids: { projectId, integrationId }, url }) =>
      createAlias(deps, actor, { projectId, integrationId }, url.origin),
  ),
);
