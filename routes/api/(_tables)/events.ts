import type { ProjectScope, UserScope } from "@/lib/access/scope.ts";
import { eventOperations } from "@/lib/events/operations.ts";
import { type EventQuery, listEvents, listOwnEvents } from "@/lib/events/service.ts";
import { paged } from "@/lib/web/api/answer.ts";
import { bind } from "@/lib/web/api/bind.ts";

const own = async ({ scope, query }: { scope: UserScope; query: EventQuery }) => {
  const { events, hasNext } = await listOwnEvents(scope, query);
  return paged(events, hasNext);
};
const ofProject = async ({ scope, query }: { scope: ProjectScope; query: EventQuery }) => {
  const { events, hasNext } = await listEvents(scope, query);
  return paged(events, hasNext);
};

export const events = bind(eventOperations, {
  listOwn: own,
  listOwnLast: own,
  list: ofProject,
  listLast: ofProject,
});
