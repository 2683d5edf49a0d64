import { connectionTestOperations } from "@/lib/connection_tests/operations.ts";
import { inventoryHosts, listBranches, repositoryChoices } from "@/lib/connection_tests/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const connectionTests = bind(connectionTestOperations, {
  branches: ({ scope, ids }) => listBranches(scope, ids.repositoryId),
  hosts: ({ scope, ids }) => inventoryHosts(scope, ids.inventoryId),
  playbooks: async ({ scope, ids, query }) =>
    (await repositoryChoices(scope, ids.repositoryId, query.branch || null)).playbooks,
});
