import { resourceOperations } from "../common/operations.ts";
import { gitCredentialBody, gitCredentialSchema } from "./schema.ts";
import { gitCredentialService } from "./service.ts";

export const gitCredentialOperations = resourceOperations({
  names: ["GitCredential", "GitCredentials"],
  nouns: ["a Git credential", "Git credentials of a project"],
  path: "host_configs",
  param: "credentialId",
  tag: "Repositories",
  body: gitCredentialBody,
  change: gitCredentialBody.meta({
    example: { type: "host", host: "git.example.com", ssh_key_id: 3 },
  }),
  answer: gitCredentialSchema,
  permission: "manage_keys",
  service: () => gitCredentialService,
  isUnused: true,
  sort: ["host", "type"],
  details: {
    create:
      "The key is used for submodules, requirements and repositories without a key of their own.",
  },
});
