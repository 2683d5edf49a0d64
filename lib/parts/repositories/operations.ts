import { resourceOperations } from "../resources/operations.ts";
import { repositoryBody, repositorySchema } from "./schema.ts";

export const repositoryOperations = resourceOperations({
  names: ["Repository", "Repositories"],
  path: "repositories",
  param: "repositoryId",
  tag: "Repositories",
  body: repositoryBody,
  change: repositoryBody,
  answer: repositorySchema,
  sort: ["name", "git_url", "ssh_key"],
  summaries: {
    list: "The project's repositories",
    create: "Add a repository",
    get: "One repository",
    update: "Change a repository",
    delete: "Delete a repository that nothing uses",
    references: "What uses a repository, and so keeps it from being deleted",
  },
  errors: { delete: [409] },
});
