import { answer, api } from "@/lib/http/api.ts";
import { sessionOperations } from "@/lib/sessions/operations.ts";
import { endSession } from "@/lib/sessions/service.ts";

export const handler = api(
  answer(
    sessionOperations.end,
    ({ deps, actor, ids, params }) => endSession(deps, actor, ids.userId, params.session),
  ),
);
