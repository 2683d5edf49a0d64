import { answer, api } from "@/lib/http/api.ts";
import { sessionOperations } from "@/lib/sessions/operations.ts";
import { endSession } from "@/lib/sessions/service.ts";

export const handler = api(
  answer(
    sessionOperations.endOwn,
    ({ deps, actor, params }) => endSession(deps, actor, actor.id, params.session),
  ),
);
