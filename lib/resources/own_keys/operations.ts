import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { ownKeyChangeForm, ownKeyForm, ownKeySchema } from "./schema.ts";
import { createOwnKey, deleteOwnKey, getOwnKey, listOwnKeys, updateOwnKey } from "./service.ts";

const tag = "Own SSH keys";
const access = "user";

export const ownKeyOperations = [
  operation({
    id: "listOwnKeys",
    method: "GET",
    path: "/user/keys",
    tag,
    summary: "List the personal SSH keys of the signed-in user",
    details: "No one else can list them, and secrets are never returned.",
    access,
    answer: z.array(ownKeySchema),
    run: ({ scope }) => listOwnKeys(scope),
  }),
  operation({
    id: "createOwnKey",
    method: "POST",
    path: "/user/keys",
    tag,
    summary: "Add a personal SSH key",
    details:
      "With `generate` the server creates the pair. Only tasks that its owner starts use it.",
    access,
    body: ownKeyForm,
    answer: ownKeySchema,
    errors: [409],
    run: ({ scope, body }) => createOwnKey(scope, body),
  }),
  operation({
    id: "getOwnKey",
    method: "GET",
    path: "/user/keys/{keyId}",
    tag,
    summary: "Get a personal SSH key",
    details: "Secrets are never returned.",
    access,
    answer: ownKeySchema,
    run: ({ scope, ids }) => getOwnKey(scope, ids.keyId),
  }),
  operation({
    id: "updateOwnKey",
    method: "PUT",
    path: "/user/keys/{keyId}",
    tag,
    summary: "Update a personal SSH key",
    details: "The private key stays unless a new one is sent.",
    access,
    body: ownKeyChangeForm,
    run: ({ scope, ids, body, expected }) => updateOwnKey(scope, ids.keyId, body, expected),
  }),
  operation({
    id: "deleteOwnKey",
    method: "DELETE",
    path: "/user/keys/{keyId}",
    tag,
    summary: "Remove a personal SSH key",
    access,
    run: ({ scope, ids, expected }) => deleteOwnKey(scope, ids.keyId, expected),
  }),
];
