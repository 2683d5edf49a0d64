import { answer, api } from "@/lib/web/api.ts";
import { sessionOperations } from "@/lib/people/sessions/operations.ts";
import { endSessions, listSessions } from "@/lib/people/sessions/service.ts";

export const handler = api(
  answer(sessionOperations.listOwn, ({ deps, actor }) => listSessions(deps, actor, actor.id)),
  answer(sessionOperations.endOwnOthers, ({ deps, actor }) => endSessions(deps, actor, actor.id)),
);
