import { z } from "zod";
import { listNumber } from "@/lib/base/list_query.ts";
import { EVENT_OBJECTS, eventQuery } from "@/lib/events/schema.ts";

/** Lines of one page. */
export const PAGE_EVENTS = 20;

/** The list that new lines come into. */
export const ACTIVITY_LIST = "activity-events";

const activityQuery = z.object({
  kind: z.enum(EVENT_OBJECTS).optional().catch(undefined),
  user: listNumber(),
});

/** What a page's address asks for. What cannot be read in it is as if it were not there. */
export function readActivityFilter(asked: URLSearchParams) {
  const members = Object.fromEntries(asked);
  const { kind, user } = activityQuery.parse(members);
  const { before } = eventQuery.parse(members);
  return { kind, userId: user, before, limit: PAGE_EVENTS };
}

/** The address's part of a filter, on its first page. */
export const activitySearch = (
  { kind, userId }: Pick<ReturnType<typeof readActivityFilter>, "kind" | "userId">,
) => new URLSearchParams({ ...kind && { kind }, ...userId && { user: String(userId) } });
