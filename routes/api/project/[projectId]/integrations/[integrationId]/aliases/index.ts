import { aliasOperations } from "@/lib/triggers/aliases/operations.ts";
import { createAlias, listAliases } from "@/lib/triggers/aliases/service.ts";
import { answer, api } from "@/lib/web/api.ts";

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
