import { tokenOperations } from "@/lib/people/tokens/operations.ts";
import { createToken, deleteToken, deleteTokens, listTokens } from "@/lib/people/tokens/service.ts";
import { bind } from "@/lib/web/api/bind.ts";
import { ownAccount } from "@/lib/web/state.ts";

export const tokens = bind(tokenOperations, {
  list: ({ state }) => listTokens(ownAccount(state)),
  create: ({ scope, body }) => createToken(scope, body),
  delete: ({ state, params }) => deleteToken(ownAccount(state), params.token),
  listOf: ({ scope }) => listTokens(scope),
  deleteAllOf: ({ scope }) => deleteTokens(scope),
  deleteOf: ({ scope, params }) => deleteToken(scope, params.token),
});
