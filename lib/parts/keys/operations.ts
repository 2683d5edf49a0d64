import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { referencesSchema } from "../../references/schema.ts";
import { keyChangeForm, keyForm, keySchema } from "./schema.ts";

const tag = "Key store";

export const keyOperations = {
  list: operation({
    id: "listKeys",
    method: "GET",
    path: "/project/{projectId}/keys",
    tag,
    summary: "The project's keys, without their secrets",
    access: "member",
    answer: z.array(keySchema),
    sort: ["name", "type"],
  }),
  create: operation({
    id: "createKey",
    method: "POST",
    path: "/project/{projectId}/keys",
    tag,
    summary: "Store a new key",
    access: "manage_resources",
    body: keyForm,
    answer: keySchema,
  }),
  get: operation({
    id: "getKey",
    method: "GET",
    path: "/project/{projectId}/keys/{keyId}",
    tag,
    summary: "One key, without its secret",
    access: "member",
    answer: keySchema,
  }),
  update: operation({
    id: "updateKey",
    method: "PUT",
    path: "/project/{projectId}/keys/{keyId}",
    tag,
    summary: "Rename a key; with override_secret replace its type and secret",
    access: "manage_resources",
    body: keyChangeForm,
    errors: [409],
  }),
  delete: operation({
    id: "deleteKey",
    method: "DELETE",
    path: "/project/{projectId}/keys/{keyId}",
    tag,
    summary: "Delete a key that nothing uses",
    access: "manage_resources",
    errors: [409],
  }),
  references: operation({
    id: "getKeyReferences",
    method: "GET",
    path: "/project/{projectId}/keys/{keyId}/refs",
    tag,
    summary: "What uses a key, and so keeps it from being deleted",
    access: "member",
    answer: referencesSchema,
  }),
};
