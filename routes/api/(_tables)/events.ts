import type { ProjectScope, UserScope } from "@/lib/access/scope.ts";
import { eventOperations } from "@/lib/events/operations.ts";
import {
  type EventQuery,
  exportEvents,
  exportOwnEvents,
  listEvents,
  listOwnEvents,
} from "@/lib/events/service.ts";
import { csvExport, linesExport } from "@/lib/web/api/export_events.ts";
import { paged } from "@/lib/web/api/answer.ts";
import { bind } from "@/lib/web/api/bind.ts";
import type { State } from "@/lib/web/state.ts";

const own = async ({ scope, query }: { scope: UserScope; query: EventQuery }) => {
  const { events, hasNext } = await listOwnEvents(scope, query);
  return paged(events, hasNext, ({ id }) => ({ before: id }));
};
const ofProject = async ({ scope, query }: { scope: ProjectScope; query: EventQuery }) => {
  const { events, hasNext } = await listEvents(scope, query);
  return paged(events, hasNext, ({ id }) => ({ before: id }));
};

type OwnCall = { scope: UserScope; query: EventQuery; state: State };
type ProjectCall = { scope: ProjectScope; query: EventQuery; state: State };

export const events = bind(eventOperations, {
  ownCsv: ({ scope, query, state }: OwnCall) =>
    csvExport(exportOwnEvents(scope, query), state.ui.t),
  ownLines: ({ scope, query, state }: OwnCall) =>
    linesExport(exportOwnEvents(scope, query), state.ui.t),
  csv: ({ scope, query, state }: ProjectCall) => csvExport(exportEvents(scope, query), state.ui.t),
  lines: ({ scope, query, state }: ProjectCall) =>
    linesExport(exportEvents(scope, query), state.ui.t),
  listOwn: own,
  listOwnLast: own,
  list: ofProject,
  listLast: ofProject,
});
