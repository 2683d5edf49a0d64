import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { ownKeyChangeForm, ownKeyForm, ownKeySchema } from "./schema.ts";

const tag = "Own SSH keys";
const access = "user";

export const ownKeyOperations = {
  list: operation({
    id: "listOwnKeys",
    method: "GET",
    path: "/user/keys",
    tag,
    summary: "List the own SSH keys of the signed-in user",
    details: "Nobody else can list them, and secrets are never returned.",
    access,
    answer: z.array(ownKeySchema),
  }),
  create: operation({
    id: "createOwnKey",
    method: "POST",
    path: "/user/keys",
    tag,
    summary: "Add an own SSH key",
    details:
      "With `generate` the server creates the pair. Only tasks that its owner starts use it.",
    access,
    body: ownKeyForm,
    answer: ownKeySchema,
    errors: [409],
  }),
  get: operation({
    id: "getOwnKey",
    method: "GET",
    path: "/user/keys/{keyId}",
    tag,
    summary: "Get an own SSH key",
    details: "Secrets are never returned.",
    access,
    answer: ownKeySchema,
  }),
  update: operation({
    id: "updateOwnKey",
    method: "PUT",
    path: "/user/keys/{keyId}",
    tag,
    summary: "Update an own SSH key",
    details: "The private key stays unless a new one is sent.",
    access,
    body: ownKeyChangeForm,
  }),
  delete: operation({
    id: "deleteOwnKey",
    method: "DELETE",
    path: "/user/keys/{keyId}",
    tag,
    summary: "Remove an own SSH key",
    access,
  }),
};
