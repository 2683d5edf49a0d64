import { userOptionOperations } from "@/lib/people/options/operations.ts";
import { listUserOptions, setUserOption } from "@/lib/people/options/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const userOptions = bind(userOptionOperations, {
  list: ({ scope }) => listUserOptions(scope),
  set: ({ scope, body }) => setUserOption(scope, body),
});
