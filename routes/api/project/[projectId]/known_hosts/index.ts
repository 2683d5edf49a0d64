import { answer, api } from "@/lib/web/api.ts";
import { knownHostOperations } from "@/lib/parts/known_hosts/operations.ts";
import { listKnownHosts } from "@/lib/parts/known_hosts/service.ts";

export const handler = api(
  answer(
    knownHostOperations.list,
    ({ deps, actor, ids }) => listKnownHosts(deps, actor, ids.projectId),
  ),
);
