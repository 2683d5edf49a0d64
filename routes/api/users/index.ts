import { answer, api } from "@/lib/http/api.ts";
import { userOperations } from "@/lib/users/operations.ts";
import { createUser, listUsers } from "@/lib/users/service.ts";

export const handler = api(
  answer(userOperations.list, ({ deps, actor }) => listUsers(deps, actor)),
  answer(userOperations.create, ({ deps, actor, body }) => createUser(deps, actor, body)),
);
