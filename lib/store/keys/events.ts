type Key = Deno.KvKey;

/**
 * Rows of events.
 *
 * | key | value | why |
 * |---|---|---|
 * | events, project (0: none), time, unique | EventRow | events, latest last |
 * | activity, project, kind (empty: any), user (0: any), time, unique | true | events on the activity pages, by their filters |
 * | object_events, project, kind, object, user (0: any), time, unique | true | events about one object |
 * | account_events, user, time, unique | true | events outside of projects that concern an account |
 * | events_stamp | any | changes with each change of a list of events: see kept.ts |
 * | audit_switch | true | events are copied into the outbox of the audit log |
 * | audit_outbox, commit | OutboxRow | events that a receiver of the audit log has not confirmed, in order of commits |
 * | audit_outbox_more, batch, n | OutboxRow | the other events of such a commit |
 * | audit_cursors, receiver | AuditCursor | how far each receiver is |
 * | audit_turns, receiver | TurnRow | the server that sends to the receiver |
 */
export const eventKeys = {
  event: (projectId: number, created: string, unique: string): Key => [
    "events",
    projectId,
    created,
    unique,
  ],
  events: (projectId: number): Key => ["events", projectId],
  activity: (projectId: number, kind: string, userId: number): Key => [
    "activity",
    projectId,
    kind,
    userId,
  ],
  objectEvents: (projectId: number, kind: string, objectId: number, userId: number): Key => [
    "object_events",
    projectId,
    kind,
    objectId,
    userId,
  ],
  /** Activity of one kind by the person who caused it. */
  activityPeople: (projectId: number, kind: string): Key => ["activity", projectId, kind],
  accountEvents: (userId: number): Key => ["account_events", userId],
  eventsStamp: (): Key => ["events_stamp"],
  auditSwitch: (): Key => ["audit_switch"],
  auditOutbox: (): Key => ["audit_outbox"],
  auditOutboxMore: (batch: string): Key => ["audit_outbox_more", batch],
  auditCursor: (receiver: string): Key => ["audit_cursors", receiver],
  auditCursors: (): Key => ["audit_cursors"],
  auditTurn: (receiver: string): Key => ["audit_turns", receiver],
};
