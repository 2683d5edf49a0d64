import { aliasOperations } from "@/lib/aliases/operations.ts";
import { createAlias, listAliases } from "@/lib/aliases/service.ts";
import { answer, api } from "@/lib/http/api.ts";

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
