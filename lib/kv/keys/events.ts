type Key = Deno.KvKey;

/**
 * Rows of events, and of alerts about them.
 *
 * | key | value | why |
 * |---|---|---|
 * | events, project (0: none), time, unique | EventRow | events, latest last |
 * | activity, project, kind (empty: any), user (0: any), time, unique | true | events on the activity pages, by their filters |
 * | account_events, user, time, unique | true | events outside of projects that concern an account |
 * | events_stamp | any | changes with each change of a list of events: see kept.ts |
 * | alerts_due, time, unique | AlertRow | alerts that are not yet sent, in order of time |
 * | alerts_wake | any | watched by the servers that send alerts |
 */
export const eventKeys = {
  event: (projectId: number, created: string, unique: string): Key => [
    "events",
    projectId,
    created,
    unique,
  ],
  events: (projectId: number): Key => ["events", projectId],
  everyEvent: (): Key => ["events"],
  activity: (projectId: number, kind: string, userId: number): Key => [
    "activity",
    projectId,
    kind,
    userId,
  ],
  /** Activity of one kind by the person who caused it. */
  activityPeople: (projectId: number, kind: string): Key => ["activity", projectId, kind],
  accountEvent: (userId: number, created: string, unique: string): Key => [
    "account_events",
    userId,
    created,
    unique,
  ],
  accountEvents: (userId: number): Key => ["account_events", userId],
  eventsStamp: (): Key => ["events_stamp"],
  alertDue: (at: string, unique: string): Key => ["alerts_due", at, unique],
  alertsDue: (): Key => ["alerts_due"],
  alertsWake: (): Key => ["alerts_wake"],
};
