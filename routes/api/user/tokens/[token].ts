import { answer, api } from "@/lib/web/api.ts";
import { tokenOperations } from "@/lib/people/tokens/operations.ts";
import { deleteToken } from "@/lib/people/tokens/service.ts";

export const handler = api(
  answer(
    tokenOperations.delete,
    ({ deps, actor, params }) => deleteToken(deps, actor, actor.id, params.token),
  ),
);
