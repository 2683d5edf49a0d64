import { eventOperations } from "@/lib/events/operations.ts";
import { listOwnEvents } from "@/lib/events/service.ts";
import { answer, api } from "@/lib/web/api.ts";
import { pagedResponse } from "@/lib/base/paged.ts";

export const handler = api(
  answer(eventOperations.listOwnLast, async ({ deps, actor, query }) => {
    const { events, hasNext } = await listOwnEvents(deps, actor, query);
    return pagedResponse(events, hasNext);
  }),
);
