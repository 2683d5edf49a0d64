import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { referencesSchema } from "../../references/schema.ts";
import { environmentBody, environmentSchema } from "./schema.ts";

const tag = "Environment";

export const environmentOperations = {
  list: operation({
    id: "listEnvironments",
    method: "GET",
    path: "/project/{projectId}/environment",
    tag,
    summary: "The project's environments, without the values of their secrets",
    access: "member",
    answer: z.array(environmentSchema),
    sort: ["name"],
  }),
  create: operation({
    id: "createEnvironment",
    method: "POST",
    path: "/project/{projectId}/environment",
    tag,
    summary: "Add an environment",
    access: "manage_resources",
    body: environmentBody,
    answer: environmentSchema,
  }),
  get: operation({
    id: "getEnvironment",
    method: "GET",
    path: "/project/{projectId}/environment/{environmentId}",
    tag,
    summary: "One environment, without the values of its secrets",
    access: "member",
    answer: environmentSchema,
  }),
  update: operation({
    id: "updateEnvironment",
    method: "PUT",
    path: "/project/{projectId}/environment/{environmentId}",
    tag,
    summary: "Change an environment; secrets that are not named stay",
    access: "manage_resources",
    body: environmentBody,
  }),
  delete: operation({
    id: "deleteEnvironment",
    method: "DELETE",
    path: "/project/{projectId}/environment/{environmentId}",
    tag,
    summary: "Delete an environment that nothing uses",
    access: "manage_resources",
    errors: [409],
  }),
  references: operation({
    id: "getEnvironmentReferences",
    method: "GET",
    path: "/project/{projectId}/environment/{environmentId}/refs",
    tag,
    summary: "What uses an environment, and so keeps it from being deleted",
    access: "member",
    answer: referencesSchema,
  }),
};
