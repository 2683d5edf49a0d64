import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { tokenForm, tokenSchema } from "./schema.ts";
import { createToken, deleteToken, deleteTokens, listTokens } from "./service.ts";
import { openAccount } from "../../access/scope.ts";

const tag = "API tokens";

export const tokenOperations = [
  operation({
    id: "listTokens",
    method: "GET",
    path: "/user/tokens",
    tag,
    summary: "List the API tokens of the signed-in user",
    details: "`id` is the first 8 characters of a token.",
    access: "user",
    answer: z.array(tokenSchema),
    run: ({ scope }) => listTokens(openAccount(scope, scope.actor.id)),
  }),
  operation({
    id: "createToken",
    method: "POST",
    path: "/user/tokens",
    tag,
    summary: "Create an API token for the signed-in user",
    details:
      "`id` is the whole token, which is not shown again. The token can create other tokens " +
      "only if `may_make_tokens` is sent.",
    access: "user",
    body: tokenForm,
    emptyBody: {},
    answer: tokenSchema,
    errors: [403, 409],
    run: ({ scope, body }) => createToken(scope, body),
  }),
  operation({
    id: "deleteToken",
    method: "DELETE",
    path: "/user/tokens/{token}",
    tag,
    summary: "Delete an API token of the signed-in user",
    details: "The first 8 characters name the token.",
    access: "user",
    run: ({ scope, params }) => deleteToken(openAccount(scope, scope.actor.id), params.token),
  }),
  operation({
    id: "listUserTokens",
    method: "GET",
    path: "/users/{userId}/tokens",
    tag,
    summary: "List the API tokens of a user",
    details: "`id` is the first 8 characters of a token.",
    access: "admin_or_self",
    answer: z.array(tokenSchema),
    run: ({ scope }) => listTokens(scope),
  }),
  operation({
    id: "deleteUserTokens",
    method: "DELETE",
    path: "/users/{userId}/tokens",
    tag,
    summary: "Delete all API tokens of a user",
    details:
      "The token that sends the request stays. Refused for tokens that cannot create tokens.",
    access: "admin_or_self",
    run: ({ scope }) => deleteTokens(scope),
  }),
  operation({
    id: "deleteUserToken",
    method: "DELETE",
    path: "/users/{userId}/tokens/{token}",
    tag,
    summary: "Delete an API token of a user",
    details: "The first 8 characters name the token.",
    access: "admin_or_self",
    run: ({ scope, params }) => deleteToken(scope, params.token),
  }),
];
