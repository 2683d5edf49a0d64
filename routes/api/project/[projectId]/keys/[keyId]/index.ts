import { answer, api } from "@/lib/web/api.ts";
import { keyOperations } from "@/lib/parts/keys/operations.ts";
import { deleteKey, getKey, updateKey } from "@/lib/parts/keys/service.ts";

export const handler = api(
  answer(
    keyOperations.get,
    ({ deps, actor, ids }) => getKey(deps, actor, ids.projectId, ids.keyId),
  ),
  answer(
    keyOperations.update,
    ({ deps, actor, ids, body }) => updateKey(deps, actor, ids.projectId, ids.keyId, body),
  ),
  answer(
    keyOperations.delete,
    ({ deps, actor, ids }) => deleteKey(deps, actor, ids.projectId, ids.keyId),
  ),
);
