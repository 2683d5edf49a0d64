import { answer, api } from "@/lib/web/api.ts";
import { sessionOperations } from "@/lib/people/sessions/operations.ts";
import { endSessions, listSessions } from "@/lib/people/sessions/service.ts";

export const handler = api(
  answer(sessionOperations.list, ({ deps, actor, ids }) => listSessions(deps, actor, ids.userId)),
  answer(sessionOperations.endAll, ({ deps, actor, ids }) => endSessions(deps, actor, ids.userId)),
);
