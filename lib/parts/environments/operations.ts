import { resourceOperations } from "../resources/operations.ts";
import { environmentBody, environmentSchema } from "./schema.ts";

export const environmentOperations = resourceOperations({
  names: ["Environment", "Environments"],
  path: "environment",
  param: "environmentId",
  tag: "Environment",
  body: environmentBody,
  change: environmentBody,
  answer: environmentSchema,
  sort: ["name"],
  summaries: {
    list: "The project's environments, without the values of their secrets",
    create: "Add an environment",
    get: "One environment, without the values of its secrets",
    update: "Change an environment; secrets that are not named stay",
    delete: "Delete an environment that nothing uses",
    references: "What uses an environment, and so keeps it from being deleted",
  },
  errors: { delete: [409] },
});
