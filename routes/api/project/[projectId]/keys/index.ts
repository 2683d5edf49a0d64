import { answer, api } from "@/lib/web/api.ts";
import { keyOperations } from "@/lib/parts/keys/operations.ts";
import { createKey, listKeys } from "@/lib/parts/keys/service.ts";

export const handler = api(
  answer(keyOperations.list, ({ deps, actor, ids }) => listKeys(deps, actor, ids.projectId)),
  answer(
    keyOperations.create,
    ({ deps, actor, ids, body }) => createKey(deps, actor, ids.projectId, body),
  ),
);
