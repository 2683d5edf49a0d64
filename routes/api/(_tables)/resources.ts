import { environmentOperations } from "@/lib/resources/environments/operations.ts";
import { environmentService } from "@/lib/resources/environments/service.ts";
import { gitCredentialOperations } from "@/lib/resources/git_credentials/operations.ts";
import { gitCredentialService } from "@/lib/resources/git_credentials/service.ts";
import { filterInventories } from "@/lib/resources/inventories/filter.ts";
import { inventoryOperations } from "@/lib/resources/inventories/operations.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { filterKeys } from "@/lib/resources/keys/filter.ts";
import { keyOperations } from "@/lib/resources/keys/operations.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { repositoryOperations } from "@/lib/resources/repositories/operations.ts";
import { renewRequirements } from "@/lib/resources/repositories/requirements.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { testSecretStorage } from "@/lib/connection_tests/secret_storages.ts";
import { secretStorageOperations } from "@/lib/resources/secret_storages/operations.ts";
import { secretStorageService } from "@/lib/resources/secret_storages/service.ts";
import {
  serverToolchainBuildOperations,
  serverToolchainOperations,
  toolchainBuildOperations,
  toolchainOperations,
} from "@/lib/resources/toolchains/operations.ts";
import { getBuild, startBuild } from "@/lib/resources/toolchains/builds.ts";
import {
  createServerToolchain,
  deleteServerToolchain,
  getServerToolchain,
  listServerToolchains,
  updateServerToolchain,
} from "@/lib/resources/toolchains/server.ts";
import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { viewOperations } from "@/lib/templates/views/operations.ts";
import { moveViews, viewService } from "@/lib/templates/views/service.ts";
import { bind, resource } from "@/lib/web/api/bind.ts";
import { templateList } from "./template_list.ts";

export const keys = bind(keyOperations, {
  ...resource(keyService, "keyId"),
  list: async ({ scope, query }) => filterKeys(await keyService.list(scope), query),
});
export const secretStorages = bind(secretStorageOperations, {
  ...resource(secretStorageService, "storageId"),
  test: ({ scope, ids, body }) => testSecretStorage(scope, ids.storageId, body.path),
});
export const repositories = bind(repositoryOperations, {
  ...resource(repositoryService, "repositoryId"),
  renewRequirements: ({ scope, ids }) => renewRequirements(scope, ids.repositoryId),
});
export const gitCredentials = bind(
  gitCredentialOperations,
  resource(gitCredentialService, "credentialId"),
);
export const inventories = bind(inventoryOperations, {
  ...resource(inventoryService, "inventoryId"),
  list: async ({ scope, query }) => filterInventories(await inventoryService.list(scope), query),
});
export const environments = bind(
  environmentOperations,
  resource(environmentService, "environmentId"),
);
export const toolchains = bind(toolchainOperations, resource(toolchainService, "toolchainId"));
export const toolchainBuilds = bind(toolchainBuildOperations, {
  get: ({ scope, ids }) => getBuild(scope, ids.toolchainId),
  start: ({ scope, ids }) => startBuild(scope, ids.toolchainId),
});
export const serverToolchains = bind(serverToolchainOperations, {
  list: ({ scope }) => listServerToolchains(scope),
  create: ({ scope, body }) => createServerToolchain(scope, body),
  get: ({ scope, ids }) => getServerToolchain(scope, ids.toolchainId),
  update: ({ scope, ids, body, expected }) =>
    updateServerToolchain(scope, ids.toolchainId, body, expected),
  delete: ({ scope, ids, expected }) => deleteServerToolchain(scope, ids.toolchainId, expected),
});
export const serverToolchainBuilds = bind(serverToolchainBuildOperations, {
  get: ({ scope, ids }) => getBuild(scope, ids.toolchainId),
  start: ({ scope, ids }) => startBuild(scope, ids.toolchainId),
});
export const views = bind(viewOperations, {
  ...resource(viewService, "viewId"),
  move: ({ scope, body }) => moveViews(scope, body),
  listTemplates: ({ scope, ids, url }) =>
    templateList(scope, { viewId: ids.viewId, sort: url.searchParams }),
});
