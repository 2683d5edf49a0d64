import { answer, api } from "@/lib/http/api.ts";
import { systemOperations } from "@/lib/system/operations.ts";
import { listProjectRunners } from "@/lib/system/service.ts";

export const handler = api(
  answer(
    systemOperations.projectRunners,
    ({ deps, actor, ids }) => listProjectRunners(deps, actor, ids.projectId),
  ),
);
