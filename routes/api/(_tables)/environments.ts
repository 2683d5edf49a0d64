import { environmentOperations } from "@/lib/parts/environments/operations.ts";
import {
  createEnvironment,
  deleteEnvironment,
  getEnvironment,
  listEnvironments,
  updateEnvironment,
} from "@/lib/parts/environments/service.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { bind } from "@/lib/web/bind.ts";

export const environments = bind(environmentOperations, {
  list: ({ scope }) => listEnvironments(scope),
  create: ({ scope, body }) => createEnvironment(scope, body),
  get: ({ scope, ids }) => getEnvironment(scope, ids.environmentId),
  update: ({ scope, ids, body }) => updateEnvironment(scope, ids.environmentId, body),
  delete: ({ scope, ids }) => deleteEnvironment(scope, ids.environmentId),
  references: ({ scope, ids }) => referencesTo(scope, ["environments", ids.environmentId]),
});
