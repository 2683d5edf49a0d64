import { answer, api } from "@/lib/http/api.ts";
import { userOperations } from "@/lib/users/operations.ts";
import { changePassword } from "@/lib/users/service.ts";

export const handler = api(
  answer(
    userOperations.changePassword,
    ({ deps, actor, ids, body }) => changePassword(deps, actor, ids.userId, body),
  ),
);
