import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { referencesSchema } from "../../references/schema.ts";
import { repositoryBody, repositorySchema } from "./schema.ts";

const tag = "Repositories";

export const repositoryOperations = {
  list: operation({
    id: "listRepositories",
    method: "GET",
    path: "/project/{projectId}/repositories",
    tag,
    summary: "The project's repositories",
    access: "member",
    answer: z.array(repositorySchema),
    sort: ["name", "git_url", "ssh_key"],
  }),
  create: operation({
    id: "createRepository",
    method: "POST",
    path: "/project/{projectId}/repositories",
    tag,
    summary: "Add a repository",
    access: "manage_resources",
    body: repositoryBody,
    answer: repositorySchema,
  }),
  get: operation({
    id: "getRepository",
    method: "GET",
    path: "/project/{projectId}/repositories/{repositoryId}",
    tag,
    summary: "One repository",
    access: "member",
    answer: repositorySchema,
  }),
  update: operation({
    id: "updateRepository",
    method: "PUT",
    path: "/project/{projectId}/repositories/{repositoryId}",
    tag,
    summary: "Change a repository",
    access: "manage_resources",
    body: repositoryBody,
  }),
  delete: operation({
    id: "deleteRepository",
    method: "DELETE",
    path: "/project/{projectId}/repositories/{repositoryId}",
    tag,
    summary: "Delete a repository that nothing uses",
    access: "manage_resources",
    errors: [409],
  }),
  references: operation({
    id: "getRepositoryReferences",
    method: "GET",
    path: "/project/{projectId}/repositories/{repositoryId}/refs",
    tag,
    summary: "What uses a repository, and so keeps it from being deleted",
    access: "member",
    answer: referencesSchema,
  }),
};
