import { ownKeyOperations } from "@/lib/resources/own_keys/operations.ts";
import {
  createOwnKey,
  deleteOwnKey,
  getOwnKey,
  listOwnKeys,
  updateOwnKey,
} from "@/lib/resources/own_keys/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const ownKeys = bind(ownKeyOperations, {
  list: ({ scope }) => listOwnKeys(scope),
  create: ({ scope, body }) => createOwnKey(scope, body),
  get: ({ scope, ids }) => getOwnKey(scope, ids.keyId),
  update: ({ scope, ids, body, expected }) => updateOwnKey(scope, ids.keyId, body, expected),
  delete: ({ scope, ids, expected }) => deleteOwnKey(scope, ids.keyId, expected),
});
