import { answer, api } from "@/lib/web/api.ts";
import { knownHostOperations } from "@/lib/parts/known_hosts/operations.ts";
import { forgetKnownHost } from "@/lib/parts/known_hosts/service.ts";

export const handler = api(
  answer(
    knownHostOperations.forget,
    ({ deps, actor, ids, params }) => forgetKnownHost(deps, actor, ids.projectId, params.host),
  ),
);
