import * as z from "zod";
import { listNumber, searchOf } from "@/lib/base/lists/list_query.ts";
import { EVENT_OBJECTS, eventQuery } from "@/lib/events/schema.ts";
import { dayRange } from "@/routes/(_pages)/history.ts";

/** Events per page. */
export const PAGE_EVENTS = 20;

/** Id of the list that receives new events. */
export const ACTIVITY_LIST = "activity-events";

const day = z.iso.date().optional().catch(undefined);
const activityQuery = z.object({
  kind: z.enum(EVENT_OBJECTS).optional().catch(undefined),
  object: listNumber(),
  user: listNumber(),
  /** Days in the reader's time zone, including the last one: "2026-03-01". */
  from: day,
  to: day,
});
export type ActivityQuery = z.output<typeof activityQuery>;

/** Reads the parameters of a page's URL. Invalid values are ignored. */
export function readActivityQuery(params: URLSearchParams): ActivityQuery {
  const { object, ...query } = activityQuery.parse(Object.fromEntries(params));
  return { ...query, ...query.kind && object !== undefined && { object } };
}

/** Reads the id of the event that a page begins after. */
export const readBefore = (params: URLSearchParams): string | undefined =>
  eventQuery.safeParse({ before: params.get("before") ?? undefined }).data?.before;

/** Returns the filter of a query, with days in `timeZone`. */
export const activityFilter = (
  { kind, object, user, from, to }: ActivityQuery,
  timeZone: string,
) => ({
  ...{ kind, objectId: object, userId: user },
  ...dayRange({ from, to }, timeZone),
  limit: PAGE_EVENTS,
});

/** Returns the query string that exports the same events. */
export function exportSearch(query: ActivityQuery, timeZone: string): URLSearchParams {
  const { kind, objectId, userId, from, to } = activityFilter(query, timeZone);
  return searchOf({ object_type: kind, object_id: objectId, user_id: userId, from, to });
}
