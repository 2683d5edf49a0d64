import { probeOperations } from "@/lib/probes/operations.ts";
import { inventoryHosts, listBranches, repositoryChoices } from "@/lib/probes/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const probes = bind(probeOperations, {
  branches: ({ scope, ids }) => listBranches(scope, ids.repositoryId),
  hosts: ({ scope, ids }) => inventoryHosts(scope, ids.inventoryId),
  playbooks: async ({ scope, ids, query }) =>
    (await repositoryChoices(scope, ids.repositoryId, query.branch || null)).playbooks,
});
