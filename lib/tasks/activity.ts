import type { ProjectScope } from "../access/scope.ts";
import { activePeople, type ActivityFilter, newestActivity } from "../events/activity.ts";
import { parseEventId, type StoredEvent } from "../events/repository.ts";
import type { EventObject, EventRow } from "../events/schema.ts";
import { type ListPosition, positionInRows } from "../kv/counted.ts";
import { getAll } from "../kv/get_all.ts";
import { cachedWhile } from "../kv/cached.ts";
import { type ResourceKind, rowKeys } from "../kv/keys.ts";
import type { TaskRow } from "./schema.ts";

/** An entry of a project's activity. */
export interface Activity extends EventRow {
  id: string;
  /** The object of the event, as far as links to it need it; null once it was deleted. */
  object: { id: number; template_id?: number } | null;
  /** Progress of the task that was started. */
  run: Pick<TaskRow, "status" | "start" | "end"> | null;
}

export interface ActivityPage {
  activity: Activity[];
  hasNext: boolean;
}

/** Resource kind of the objects that events of a kind are about. */
const RESOURCES: Partial<Record<EventObject, ResourceKind>> = {
  key: "keys",
  repository: "repositories",
  inventory: "inventories",
  environment: "environments",
  template: "templates",
  view: "views",
  schedule: "schedules",
  integration: "integrations",
  workflow: "workflows",
};

/** Actions that begin the entry of a task. */
const STARTS = ["queued", "waiting_confirmation"];

/**
 * Returns a project's activity, newest first, with one entry for each object and occasion. The
 * queueing, the start and the end of a task share one entry.
 */
export async function listActivity(
  { deps: { kv }, projectId }: ProjectScope,
  filter: ActivityFilter,
): Promise<ActivityPage> {
  const events = await newestActivity(kv, projectId, { ...filter, limit: filter.limit + 1 });
  const shown = events.slice(0, filter.limit);
  const objects = await getAll<TaskRow & { user_id: number }>(kv, shown.map(objectKey));
  return {
    hasNext: events.length > filter.limit,
    activity: shown.map(({ id, row }, n) => {
      const { value } = objects[n];
      const begins = row.object_type === "task" && STARTS.includes(row.action);
      const object = value && { id: row.object_id, template_id: value.template_id };
      return { ...row, id, object, run: begins && value ? runOf(value) : null };
    }),
  };
}

/** Returns the position of a page of activity among all matching entries, counted up to a bound. */
export function positionInActivity(
  { deps: { kv }, projectId }: ProjectScope,
  { kind, userId, before }: ActivityFilter,
): Promise<ListPosition> {
  const list = rowKeys.activity(projectId, kind ?? "", userId ?? 0);
  const end = before === undefined ? null : [...list, ...parseEventId(before)];
  return positionInRows(kv, list, end);
}

const runOf = ({ status, start, end }: TaskRow) => ({ status, start, end });

function objectKey({ projectId, row: { object_type, object_id } }: StoredEvent): Deno.KvKey {
  const kind = RESOURCES[object_type];
  if (kind) return rowKeys.resource(kind, projectId, object_id);
  if (object_type === "task") return rowKeys.task(projectId, object_id);
  if (object_type === "member") return rowKeys.member(projectId, object_id);
  return object_type === "user" ? rowKeys.user(object_id) : rowKeys.project(object_id);
}

/** Returns the logins of people who acted in the project, by user id. */
export const listActivePeople = ({ deps: { kv }, projectId }: ProjectScope) =>
  cachedWhile(
    kv,
    [rowKeys.eventsStamp()],
    `active people of ${projectId}`,
    () => activePeople(kv, projectId),
  );
