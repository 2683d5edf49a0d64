import { answer, api } from "@/lib/web/api.ts";
import { keyOperations } from "@/lib/parts/keys/operations.ts";
import { referencesTo } from "@/lib/references/service.ts";

export const handler = api(
  answer(
    keyOperations.references,
    ({ deps, actor, ids }) => referencesTo(deps, actor, ids.projectId, ["keys", ids.keyId]),
  ),
);
