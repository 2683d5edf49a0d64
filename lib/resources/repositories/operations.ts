import { operation, withExample } from "../../access/operation.ts";
import { resourceOperations } from "../common/operations.ts";
import { repositoryBody, repositorySchema } from "./schema.ts";
import { renewRequirements } from "./requirements.ts";
import { repositoryService } from "./service.ts";

export const repositoryOperations = [
  ...resourceOperations({
    names: ["Repository", "Repositories"],
    nouns: ["a repository", "repositories of a project"],
    path: "repositories",
    param: "repositoryId",
    tag: "Repositories",
    body: repositoryBody,
    change: withExample(repositoryBody, { git_branch: "next" }),
    answer: repositorySchema,
    permission: "manage_resources",
    service: () => repositoryService,
    sort: ["name", "git_url", "ssh_key"],
    details: {
      delete: "Refused while something uses it.",
    },
    errors: { delete: [409] },
  }),
  operation({
    id: "renewRequirements",
    method: "POST",
    path: "/project/{projectId}/repositories/{repositoryId}/requirements",
    access: "manage_resources",
    tag: "Repositories",
    summary: "Update the installed requirements of a repository",
    details:
      "Tasks that start from now on install roles and collections again. Running tasks keep " +
      "theirs.",
    status: 204,
    run: ({ scope, ids }) => renewRequirements(scope, ids.repositoryId),
  }),
];
