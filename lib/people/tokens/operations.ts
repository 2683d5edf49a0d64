import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { TOKEN_SCOPES } from "../../model/token_limits.ts";
import { tokenChangeForm, tokenForm, tokenSchema } from "./schema.ts";
import {
  createToken,
  deleteOwnToken,
  deleteToken,
  deleteTokens,
  listTokens,
  requireToken,
  updateToken,
} from "./service.ts";
import { openAccount } from "../../access/scope.ts";

const tag = "API tokens";

export const tokenOperations = [
  operation({
    id: "listTokens",
    method: "GET",
    path: "/user/tokens",
    tag,
    summary: "List the API tokens of the signed-in user",
    details: "`id` is the first 8 characters of a token. Null limits stand for everything.",
    access: "user",
    scopes: ["admin"],
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
      "only if `may_make_tokens` is sent. Without `scopes`, `project_ids`, `template_ids` and " +
      "`networks`, or with null, it may do all that its person may. Templates are chosen only " +
      "for tokens with `read` and `run`, projects only for those without `admin`.",
    access: "user",
    body: tokenForm,
    emptyBody: {},
    answer: tokenSchema,
    errors: [403, 409],
    run: ({ scope, body }) => createToken(scope, body),
  }),
  operation({
    id: "updateToken",
    method: "PUT",
    path: "/user/tokens/{token}",
    tag,
    summary: "Update an API token of the signed-in user",
    details:
      "Its name, expiry and limits. What is not sent stays, and null removes a limit. The first 8 " +
      "characters name the token. Only a session can change tokens.",
    access: "user",
    body: tokenChangeForm,
    errors: [403],
    admit: ({ scope, params }) => requireToken(openAccount(scope, scope.actor.id), params.token),
    run: ({ scope, params, body }) =>
      updateToken(openAccount(scope, scope.actor.id), params.token, body),
  }),
  operation({
    id: "deleteToken",
    method: "DELETE",
    path: "/user/tokens/{token}",
    tag,
    summary: "Delete an API token of the signed-in user",
    details: "The first 8 characters name the token. Every token may delete itself.",
    access: "user",
    scopes: TOKEN_SCOPES,
    run: ({ scope, params }) => deleteOwnToken(scope, params.token),
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
