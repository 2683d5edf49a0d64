import type { Actor } from "../access/actor.ts";
import { grants } from "../access/permissions.ts";
import type { StoredEvent } from "./repository.ts";
import { eventDescription, type EventRow, type EventView } from "./schema.ts";

/** The parts of an event that a reader sees beside its sentence. */
export interface EventSight {
  /** Old and new values, for people who could read them in the forms. */
  changes: boolean;
  /** Address and user agent of others, for people who manage them. */
  client: boolean;
  /** The reader, who sees their own addresses. */
  readerId: number | null;
}

/** Returns what an actor with these permissions in a project sees of its events. */
export const eventSightOf = (actor: Actor, permissions: number): EventSight => ({
  changes: grants(permissions, "manage_resources"),
  client: grants(permissions, "manage_users"),
  readerId: actor.kind === "user" ? actor.id : null,
});

/** Returns an event without the parts that a reader may not see. */
export function visibleEvent({ changes, client, readerId }: EventSight, row: EventRow): EventRow {
  const { changes: changed, changes_left, address, user_agent, ...seen } = row;
  const isOwn = row.user_id !== null && row.user_id === readerId;
  return {
    ...seen,
    ...changes && changed && { changes: changed, changes_left },
    ...(client || isOwn) && { address, user_agent },
  };
}

/** Returns an event as the API answers it. */
export function eventView(
  { id, projectId, row }: StoredEvent,
  projectNames: ReadonlyMap<number, string>,
  sight: EventSight,
): EventView {
  const { changes, changes_left, address, user_agent } = visibleEvent(sight, row);
  return {
    id,
    user_id: row.user_id,
    username: row.username,
    project_id: projectId || null,
    project_name: projectNames.get(projectId) ?? null,
    integration_id: row.object_type === "integration" ? row.object_id : null,
    object_id: row.object_id,
    object_type: row.object_type,
    object_name: row.object_name,
    action: row.action,
    description: eventDescription(row),
    created: row.created,
    changes: changes ?? null,
    changes_left: changes_left ?? 0,
    address: address ?? null,
    user_agent: user_agent ?? null,
  };
}
