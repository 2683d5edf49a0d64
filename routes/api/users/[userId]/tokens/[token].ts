import { answer, api } from "@/lib/http/api.ts";
import { tokenOperations } from "@/lib/tokens/operations.ts";
import { deleteToken } from "@/lib/tokens/service.ts";

export const handler = api(
  answer(
    tokenOperations.deleteOf,
    ({ deps, actor, ids, params }) => deleteToken(deps, actor, ids.userId, params.token),
  ),
);
