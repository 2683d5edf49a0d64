import { resourceOperations } from "../common/operations.ts";
import { gitCredentialBody, gitCredentialSchema } from "./schema.ts";

const { references: _, ...operations } = resourceOperations({
  names: ["GitCredential", "GitCredentials"],
  nouns: ["a Git credential", "Git credentials of a project"],
  path: "host_configs",
  param: "credentialId",
  tag: "Repositories",
  body: gitCredentialBody,
  change: gitCredentialBody,
  answer: gitCredentialSchema,
  sort: ["host", "type"],
  details: {
    create:
      "The key is used for submodules, requirements and repositories without a key of their own.",
  },
});

/** Nothing refers to a Git credential, so there is no list of uses. */
export const gitCredentialOperations = operations;
