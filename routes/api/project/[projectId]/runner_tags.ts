import { answer, api } from "@/lib/web/api.ts";
import { systemOperations } from "@/lib/web/system/operations.ts";
import { listProjectRunners } from "@/lib/web/system/service.ts";

export const handler = api(
  answer(
    systemOperations.runnerTags,
    ({ deps, actor, ids }) => listProjectRunners(deps, actor, ids.projectId),
  ),
);
