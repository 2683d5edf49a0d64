import { answer, api } from "@/lib/web/api.ts";
import { tokenOperations } from "@/lib/people/tokens/operations.ts";
import { deleteTokens, listTokens } from "@/lib/people/tokens/service.ts";

export const handler = api(
  answer(tokenOperations.listOf, ({ deps, actor, ids }) => listTokens(deps, actor, ids.userId)),
  answer(
    tokenOperations.deleteAllOf,
    ({ deps, actor, ids }) => deleteTokens(deps, actor, ids.userId),
  ),
);
