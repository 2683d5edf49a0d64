import { answer, api } from "@/lib/web/api.ts";
import { tokenOperations } from "@/lib/people/tokens/operations.ts";
import { createToken, listTokens } from "@/lib/people/tokens/service.ts";

export const handler = api(
  answer(tokenOperations.list, ({ deps, actor }) => listTokens(deps, actor, actor.id)),
  answer(tokenOperations.create, ({ deps, actor, body }) => createToken(deps, actor, body)),
);
