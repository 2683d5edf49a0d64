import { answer, api } from "@/lib/http/api.ts";
import { knownHostOperations } from "@/lib/known_hosts/operations.ts";
import { listKnownHosts } from "@/lib/known_hosts/service.ts";

export const handler = api(
  answer(
    knownHostOperations.list,
    ({ deps, actor, ids }) => listKnownHosts(deps, actor, ids.projectId),
  ),
);
