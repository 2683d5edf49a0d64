import { withExample } from "../../access/operation.ts";
import { resourceOperations } from "../common/operations.ts";
import { environmentBody, environmentSchema } from "./schema.ts";
import { environmentService } from "./service.ts";

export const environmentOperations = resourceOperations({
  names: ["Environment", "Environments"],
  nouns: ["an environment", "environments of a project"],
  path: "environment",
  param: "environmentId",
  tag: "Environment",
  body: environmentBody,
  change: withExample(environmentBody, { secrets: [] }),
  answer: environmentSchema,
  permission: "manage_resources",
  service: () => environmentService,
  sort: ["name"],
  details: {
    list: "The values of secrets are never returned.",
    get: "The values of secrets are never returned.",
    update: "Secrets that are not named stay as they are.",
    delete: "Refused while something uses it.",
  },
  errors: { delete: [409] },
});
