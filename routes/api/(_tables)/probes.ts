import { probeOperations } from "@/lib/probes/operations.ts";
import { listBranches, repositoryChoices } from "@/lib/probes/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const probes = bind(probeOperations, {
  branches: ({ scope, ids }) => listBranches(scope, ids.repositoryId),
  playbooks: async ({ scope, ids, query }) =>
    (await repositoryChoices(scope, ids.repositoryId, query.branch || null)).playbooks,
});
