import { answer, api } from "@/lib/web/api.ts";
import { userOperations } from "@/lib/people/users/operations.ts";
import { getCurrentUser } from "@/lib/people/users/service.ts";

export const handler = api(
  answer(userOperations.current, ({ deps, actor }) => getCurrentUser(deps, actor)),
);
