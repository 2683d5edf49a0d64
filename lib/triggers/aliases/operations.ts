import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { aliasSchema } from "./schema.ts";
import { createAlias, deleteAlias, deleteAnyAlias, listAliases } from "./service.ts";

const tag = "Integrations";
const access = "manage_triggers";
const ofProject = "/project/{projectId}/integrations/aliases";
const ofIntegration = "/project/{projectId}/integrations/{integrationId}/aliases";

export const aliasOperations = [
  operation({
    id: "listProjectAliases",
    method: "GET",
    path: ofProject,
    tag,
    summary: "List the aliases of a project",
    details: "Addresses that reach all searchable integrations. Guests do not see the addresses " +
      "themselves.",
    access: "member",
    answer: z.array(aliasSchema),
    run: ({ scope, url }) => listAliases(scope, null, url.origin),
  }),
  operation({
    id: "createProjectAlias",
    method: "POST",
    path: ofProject,
    tag,
    summary: "Create an alias of a project",
    access,
    answer: aliasSchema,
    status: 200,
    errors: [409],
    run: ({ scope, url }) => createAlias(scope, null, url.origin),
  }),
  operation({
    id: "deleteProjectAlias",
    method: "DELETE",
    path: `${ofProject}/{aliasId}`,
    tag,
    summary: "Delete an alias of a project or of its integrations",
    access,
    run: ({ scope, ids }) => deleteAnyAlias(scope, ids.aliasId),
  }),
  operation({
    id: "listIntegrationAliases",
    method: "GET",
    path: ofIntegration,
    tag,
    summary: "List the aliases of an integration",
    details:
      "Addresses that reach only this integration. Guests do not see the addresses themselves.",
    access: "member",
    answer: z.array(aliasSchema),
    run: ({ scope, ids, url }) => listAliases(scope, ids.integrationId, url.origin),
  }),
  operation({
    id: "createIntegrationAlias",
    method: "POST",
    path: ofIntegration,
    tag,
    summary: "Create an alias of an integration",
    access,
    answer: aliasSchema,
    status: 200,
    errors: [409],
    run: ({ scope, ids, url }) => createAlias(scope, ids.integrationId, url.origin),
  }),
  operation({
    id: "deleteIntegrationAlias",
    method: "DELETE",
    path: `${ofIntegration}/{aliasId}`,
    tag,
    summary: "Delete an alias of an integration",
    access,
    run: ({ scope, ids }) => deleteAlias(scope, ids.integrationId, ids.aliasId),
  }),
];
