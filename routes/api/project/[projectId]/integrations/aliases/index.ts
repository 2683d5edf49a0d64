import { aliasOperations } from "@/lib/triggers/aliases/operations.ts";
import { createAlias, listAliases } from "@/lib/triggers/aliases/service.ts";
import { answer, api } from "@/lib/web/api.ts";

export const handler = api(
  answer(
    aliasOperations.listOfProject,
    ({ deps, actor, ids: { projectId }, url }) =>
      listAliases(deps, actor, { projectId, integrationId: null }, url.origin),
  ),
  answer(
    aliasOperations.createOfProject,
    ({ deps, actor, ids: { projectId }, url }) =>
      createAlias(deps, actor, { projectId, integrationId: null }, url.origin),
  ),
);
