import * as z from "zod";
import { listNumber } from "@/lib/base/list_query.ts";
import { EVENT_OBJECTS, eventQuery } from "@/lib/events/schema.ts";

/** Events per page. */
export const PAGE_EVENTS = 20;

/** Id of the list that receives new events. */
export const ACTIVITY_LIST = "activity-events";

const activityQuery = z.object({
  kind: z.enum(EVENT_OBJECTS).optional().catch(undefined),
  user: listNumber(),
});

/** Reads the filter in a page's URL. Invalid values are ignored. */
export function readActivityFilter(asked: URLSearchParams) {
  const members = Object.fromEntries(asked);
  const { kind, user } = activityQuery.parse(members);
  const { before } = eventQuery.parse(members);
  return { kind, userId: user, before, limit: PAGE_EVENTS };
}

/** Returns the query string of a filter's first page. */
export const activitySearch = (
  { kind, userId }: Pick<ReturnType<typeof readActivityFilter>, "kind" | "userId">,
) => new URLSearchParams({ ...kind && { kind }, ...userId && { user: String(userId) } });
