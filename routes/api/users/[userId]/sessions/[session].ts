import { answer, api } from "@/lib/web/api.ts";
import { sessionOperations } from "@/lib/people/sessions/operations.ts";
import { endSession } from "@/lib/people/sessions/service.ts";

export const handler = api(
  answer(
    sessionOperations.end,
    ({ deps, actor, ids, params }) => endSession(deps, actor, ids.userId, params.session),
  ),
);
