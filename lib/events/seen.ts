import type { Sight } from "../access/sight.ts";
import { inGroups } from "../base/groups.ts";
import { mergeNewest } from "../base/merge.ts";
import type { RuledKind } from "../model/access_rule.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { type Changes, lastPart, type Value } from "./differences.ts";
import { type EventFilter, newestMatching } from "./find.ts";
import type { StoredEvent } from "./repository.ts";
import type { EventObject, EventRow } from "./schema.ts";

/**
 * Number of events that are looked at for one list of a reader who does not see all of them. The
 * list ends there, so that a reader who sees few of them waits no longer than others.
 */
const LOOKED_AT_MAX = 10_000;

/** Number of events whose objects are read together. */
const TOGETHER = 100;

/** The members of an event's object that decide who sees the event. */
interface ObjectRow {
  template_id?: number | null;
  workflow_id?: number | null;
  user_id?: number | null;
  workflow?: { workflow_id: number };
}

/** The latest matching events of a project that a reader sees, as `newestMatching` yields all. */
export async function* newestSeen(
  kv: Store,
  sight: Sight,
  projectId: number,
  filter: EventFilter,
  limit?: number,
): AsyncGenerator<StoredEvent> {
  if (sight.seesAll) {
    yield* newestMatching(kv, projectId, filter, limit);
    return;
  }
  const all = newestMatching(kv, projectId, filter, LOOKED_AT_MAX);
  let left = limit ?? LOOKED_AT_MAX;
  for await (const events of inGroups(all, Math.min(left, TOGETHER))) {
    for (const event of await seenEvents(kv, sight, events)) {
      if (left-- === 0) return;
      yield event;
    }
  }
}

/** The latest matching events of several projects that a reader sees, merged lazily. */
export const newestSeenOf = (
  kv: Store,
  sights: ReadonlyMap<number, Sight>,
  filter: EventFilter = {},
): AsyncGenerator<StoredEvent> =>
  mergeNewest(
    [...sights].map(([id, sight]) => newestSeen(kv, sight, id, filter)),
    (a, b) => a.id > b.id,
  );

/**
 * Returns the events that a reader sees, without the names of other objects that are hidden. If a
 * rule hides something from the reader, the events of deleted objects are left out, because no one
 * can tell who saw these. Events about hosts are left out, because hidden tasks may have reached
 * them.
 */
export async function seenEvents(
  kv: Store,
  sight: Sight,
  events: StoredEvent[],
): Promise<StoredEvent[]> {
  if (sight.seesAll) return events;
  const keys = events.map(objectKey);
  const rows = await getAll<ObjectRow>(kv, keys.filter((key) => key !== null));
  const objects = new Map(rows.map(({ key, value }) => [key.join("/"), value]));
  return events.flatMap((event, n) => {
    const key = keys[n];
    const object = key && objects.get(key.join("/")) || null;
    const isSeen = key ? seesObject(sight, event.row, object) : event.row.object_type !== "host";
    return isSeen ? { ...event, row: withoutHidden(sight, event.row, object) } : [];
  });
}

/** Kinds of objects that rules are about, or that start one of these. */
const KINDS: Partial<Record<EventObject, RuledKind | "schedules" | "integrations">> = {
  template: "templates",
  workflow: "workflows",
  view: "views",
  schedule: "schedules",
  integration: "integrations",
};

/** Returns the key of the row that decides who sees an event; null if all members see it. */
function objectKey({ projectId, row: { object_type, object_id } }: StoredEvent): Deno.KvKey | null {
  if (object_type === "task") return rowKeys.task(projectId, object_id);
  const kind = KINDS[object_type];
  return kind ? rowKeys.resource(kind, projectId, object_id) : null;
}

function seesObject(
  sight: Sight,
  { object_type, object_id }: EventRow,
  object: ObjectRow | null,
): boolean {
  if (object_type === "task") {
    return object !== null && sight.maySeeTask({
      template_id: object.template_id ?? 0,
      user_id: object.user_id ?? null,
    });
  }
  if (!object) return !sight.isNarrowed;
  if (object_type === "schedule" || object_type === "integration") {
    return sight.maySeeTarget(object);
  }
  return sight.maySee(KINDS[object_type] as RuledKind, object_id);
}

/** Returns an event without the names of hidden objects in its sentence and its changes. */
function withoutHidden(sight: Sight, row: EventRow, object: ObjectRow | null): EventRow {
  if (!sight.isNarrowed) return row;
  const { starter, changes, changes_left = 0, ...seen } = row;
  const kept = changes && seenChanges(sight, row.object_type, changes);
  const left = kept ? Object.keys(changes).length - Object.keys(kept).length : 0;
  return {
    ...seen,
    ...starter && isStarterSeen(sight, starter, object) && { starter },
    ...kept && { changes: kept, changes_left: changes_left + left },
  };
}

/** Whether the name of a task's starter is shown. Tasks of builds have a name without an id. */
function isStarterSeen(
  sight: Sight,
  { kind }: NonNullable<EventRow["starter"]>,
  object: ObjectRow | null,
): boolean {
  const workflowId = object?.workflow?.workflow_id;
  return kind === "workflow"
    ? workflowId !== undefined && sight.maySee("workflows", workflowId)
    : kind !== "autorun";
}

const seenChanges = (sight: Sight, kind: EventObject, changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).filter(([field]) => kind !== "workflow" || !isStep(field))
      .map(([field, change]) => [
        field,
        change === "changed"
          ? change
          : [withoutNames(sight, field, change[0]), withoutNames(sight, field, change[1])],
      ]),
  );

/** Whether a field belongs to steps, whose names and values tell which templates they start. */
const isStep = (field: string): boolean => /^steps\b/.test(field);

/** Kinds of the objects that fields refer to. */
const FIELD_KINDS: Record<string, RuledKind> = {
  template_id: "templates",
  build_template_id: "templates",
  template_ids: "templates",
  workflow_id: "workflows",
  workflow_ids: "workflows",
  view_id: "views",
  view_ids: "views",
};

/** Returns the value of a field without references to hidden objects. */
function withoutNames(sight: Sight, field: string, value: Value): Value {
  const name = lastPart(field);
  if (!Object.hasOwn(FIELD_KINDS, name) || value === null || typeof value !== "object") {
    return value;
  }
  const isSeen = (one: unknown) =>
    typeof one !== "object" || sight.maySee(FIELD_KINDS[name], (one as { id: number }).id);
  if (Array.isArray(value)) return value.filter(isSeen);
  return isSeen(value) ? value : null;
}
