import { answer, api } from "@/lib/web/api.ts";
import { userOperations } from "@/lib/people/users/operations.ts";
import { createUser, listUsers } from "@/lib/people/users/service.ts";

export const handler = api(
  answer(userOperations.list, ({ deps, actor }) => listUsers(deps, actor)),
  answer(userOperations.create, ({ deps, actor, body }) => createUser(deps, actor, body)),
);
