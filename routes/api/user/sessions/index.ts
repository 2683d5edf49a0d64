import { answer, api } from "@/lib/http/api.ts";
import { sessionOperations } from "@/lib/sessions/operations.ts";
import { endSessions, listSessions } from "@/lib/sessions/service.ts";

export const handler = api(
  answer(sessionOperations.listOwn, ({ deps, actor }) => listSessions(deps, actor, actor.id)),
  answer(sessionOperations.endOwnOthers, ({ deps, actor }) => endSessions(deps, actor, actor.id)),
);
