import { answer, api } from "@/lib/http/api.ts";
import { userOperations } from "@/lib/users/operations.ts";
import { getCurrentUser } from "@/lib/users/service.ts";

export const handler = api(
  answer(userOperations.current, ({ deps, actor }) => getCurrentUser(deps, actor)),
);
