import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { tokenForm, tokenSchema } from "./schema.ts";

const tag = "API tokens";

export const tokenOperations = {
  list: operation({
    id: "listTokens",
    method: "GET",
    path: "/user/tokens",
    tag,
    summary: "One's own API tokens; `id` is the first 8 letters",
    access: "user",
    answer: z.array(tokenSchema),
  }),
  create: operation({
    id: "createToken",
    method: "POST",
    path: "/user/tokens",
    tag,
    summary:
      "Make an API token; `id` is the whole token, which is not shown again. A token makes " +
      "others where `may_make_tokens` was sent when it was made",
    access: "user",
    body: tokenForm,
    emptyBody: {},
    answer: tokenSchema,
    errors: [403, 409],
  }),
  delete: operation({
    id: "deleteToken",
    method: "DELETE",
    path: "/user/tokens/{token}",
    tag,
    summary: "End an API token, named by its first 8 letters",
    access: "user",
  }),
  listOf: operation({
    id: "listUserTokens",
    method: "GET",
    path: "/users/{userId}/tokens",
    tag,
    summary: "An account's API tokens; `id` is the first 8 letters",
    access: "admin_or_self",
    answer: z.array(tokenSchema),
  }),
  deleteAllOf: operation({
    id: "deleteUserTokens",
    method: "DELETE",
    path: "/users/{userId}/tokens",
    tag,
    summary:
      "End all API tokens of an account but the one that asks; not by a token that makes none",
    access: "admin_or_self",
  }),
  deleteOf: operation({
    id: "deleteUserToken",
    method: "DELETE",
    path: "/users/{userId}/tokens/{token}",
    tag,
    summary: "End an API token of an account, named by its first 8 letters",
    access: "admin_or_self",
  }),
};
