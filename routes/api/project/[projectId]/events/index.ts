import { eventOperations } from "@/lib/events/operations.ts";
import { listEvents } from "@/lib/events/service.ts";
import { answer, api } from "@/lib/web/api.ts";
import { pagedResponse } from "@/lib/base/paged.ts";

export const handler = api(
  answer(eventOperations.list, async ({ deps, actor, ids, query }) => {
    const { events, hasNext } = await listEvents(deps, actor, ids.projectId, query);
    return pagedResponse(events, hasNext);
  }),
);
