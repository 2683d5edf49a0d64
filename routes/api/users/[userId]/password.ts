import { answer, api } from "@/lib/web/api.ts";
import { userOperations } from "@/lib/people/users/operations.ts";
import { changePassword } from "@/lib/people/users/service.ts";

export const handler = api(
  answer(
    userOperations.changePassword,
    ({ deps, actor, ids, body }) => changePassword(deps, actor, ids.userId, body),
  ),
);
