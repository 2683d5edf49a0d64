import { answer, api } from "@/lib/web/api.ts";
import { sessionOperations } from "@/lib/people/sessions/operations.ts";
import { endSession } from "@/lib/people/sessions/service.ts";

export const handler = api(
  answer(
    sessionOperations.endOwn,
    ({ deps, actor, params }) => endSession(deps, actor, actor.id, params.session),
  ),
);
