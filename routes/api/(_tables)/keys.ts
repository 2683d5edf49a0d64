import { keyOperations } from "@/lib/parts/keys/operations.ts";
import { createKey, deleteKey, getKey, listKeys, updateKey } from "@/lib/parts/keys/service.ts";
import { referencesTo } from "@/lib/references/service.ts";
import { bind } from "@/lib/web/bind.ts";

export const keys = bind(keyOperations, {
  list: ({ scope }) => listKeys(scope),
  create: ({ scope, body }) => createKey(scope, body),
  get: ({ scope, ids }) => getKey(scope, ids.keyId),
  update: ({ scope, ids, body }) => updateKey(scope, ids.keyId, body),
  delete: ({ scope, ids }) => deleteKey(scope, ids.keyId),
  references: ({ scope, ids }) => referencesTo(scope, ["keys", ids.keyId]),
});
