import { answer, api } from "@/lib/web/api.ts";
import { userOperations } from "@/lib/people/users/operations.ts";
import { deleteUser, getUser, updateUser } from "@/lib/people/users/service.ts";

export const handler = api(
  answer(userOperations.get, ({ deps, actor, ids }) => getUser(deps, actor, ids.userId)),
  answer(
    userOperations.update,
    ({ deps, actor, ids, body }) => updateUser(deps, actor, ids.userId, body),
  ),
  answer(userOperations.delete, ({ deps, actor, ids }) => deleteUser(deps, actor, ids.userId)),
);
