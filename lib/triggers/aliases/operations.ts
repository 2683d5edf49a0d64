import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { aliasSchema } from "./schema.ts";

const tag = "Integrations";
const access = "manage_resources";
const hidden = "guests do not see the addresses themselves";
const ofProject = "/project/{projectId}/integrations/aliases";
const ofIntegration = "/project/{projectId}/integrations/{integrationId}/aliases";

export const aliasOperations = {
  listOfProject: operation({
    id: "listProjectAliases",
    method: "GET",
    path: ofProject,
    tag,
    summary: `Addresses that reach all searchable integrations of the project; ${hidden}`,
    access: "member",
    answer: z.array(aliasSchema),
  }),
  createOfProject: operation({
    id: "createProjectAlias",
    method: "POST",
    path: ofProject,
    tag,
    summary: "Make a new address for the project",
    access,
    answer: aliasSchema,
    status: 200,
    errors: [409],
  }),
  deleteOfProject: operation({
    id: "deleteProjectAlias",
    method: "DELETE",
    path: `${ofProject}/{aliasId}`,
    tag,
    summary: "Delete an address of the project, or of one of its integrations",
    access,
  }),
  list: operation({
    id: "listIntegrationAliases",
    method: "GET",
    path: ofIntegration,
    tag,
    summary: `Addresses that reach the integration alone; ${hidden}`,
    access: "member",
    answer: z.array(aliasSchema),
  }),
  create: operation({
    id: "createIntegrationAlias",
    method: "POST",
    path: ofIntegration,
    tag,
    summary: "Make a new address for the integration",
    access,
    answer: aliasSchema,
    status: 200,
    errors: [409],
  }),
  delete: operation({
    id: "deleteIntegrationAlias",
    method: "DELETE",
    path: `${ofIntegration}/{aliasId}`,
    tag,
    summary: "Delete an address of the integration",
    access,
  }),
};
