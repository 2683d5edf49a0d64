import { repositoryOperations } from "@/lib/parts/repositories/operations.ts";
import {
  createRepository,
  deleteRepository,
  getRepository,
  listRepositories,
  updateRepository,
} from "@/lib/parts/repositories/service.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { bind } from "@/lib/web/bind.ts";

export const repositories = bind(repositoryOperations, {
  list: ({ scope, url }) => listRepositories(scope, url.searchParams),
  create: ({ scope, body }) => createRepository(scope, body),
  get: ({ scope, ids }) => getRepository(scope, ids.repositoryId),
  update: ({ scope, ids, body }) => updateRepository(scope, ids.repositoryId, body),
  delete: ({ scope, ids }) => deleteRepository(scope, ids.repositoryId),
  references: ({ scope, ids }) => referencesTo(scope, ["repositories", ids.repositoryId]),
});
