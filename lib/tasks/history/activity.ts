import { ALL_PERMISSIONS } from "../../access/permissions.ts";
import type { AdminScope, ProjectScope } from "../../access/scope.ts";
import { SEES_ALL, type Sight, sightOf, stampsFor } from "../../access/sight.ts";
import { plainReason, type Reason } from "../../base/reason.ts";
import type { RecordedPerson } from "../../base/person.ts";
import { notFound, type Sentence } from "../../base/errors.ts";
import { activePeople, peopleOfEvents } from "../../events/activity.ts";
import { type EventFilter, indexFor } from "../../events/find.ts";
import {
  eventList,
  eventRange,
  findEvent,
  parseEventId,
  type StoredEvent,
} from "../../events/repository.ts";
import { newestSeen, seenEvents } from "../../events/seen.ts";
import { beginsTask, type EventObject, type EventRow } from "../../events/schema.ts";
import { eventSightOf, visibleEvent } from "../../events/view.ts";
import { COUNTED_MAX, countRows, type ListPosition } from "../../store/counted.ts";
import { countBefore, selectorIn } from "../../store/indexed_list.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { cachedWhile } from "../../store/cached.ts";
import type { Store } from "../../store/store.ts";
import { type ResourceKind, rowKeys } from "../../store/keys.ts";
import { reasonOfEnd } from "../reason.ts";
import type { WaitDeps } from "../waiting/read_reasons.ts";
import { waitReasons } from "../waiting/wait_reasons.ts";
import type { TaskRow } from "../../model/task_row.ts";

/** Scope of people who see the activity of a project, or with an admin's, that of the server. */
type ActivityScope = ProjectScope | AdminScope;

const projectOf = (scope: ActivityScope): number => "projectId" in scope ? scope.projectId : 0;

const sightIn = async (scope: ActivityScope): Promise<Sight> =>
  "projectId" in scope ? await sightOf(scope) : SEES_ALL;

/** Filter of a page of activity. */
export interface ActivityFilter extends EventFilter {
  limit: number;
}

/** An entry of a project's activity. */
export interface Activity extends EventRow {
  id: string;
  /** The object of the event, as far as links to it need it; null once it was deleted. */
  object: { id: number; template_id?: number } | null;
  /** Progress of the task that was started, with the reason of its status. */
  run: Pick<TaskRow, "status" | "start" | "end"> & { reason: Reason | null } | null;
  /** Why a run of a workflow ended without success, with the task that explains it. */
  ending: { reason: Reason; task: { id: number; template_id: number } | null } | null;
  /** Number of fields that changed. Entries of lists have no `changes`. */
  fields: number;
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

/**
 * Returns the activity of a project or of the server, newest first, with one entry for each object
 * and occasion. The queueing, the start and the end of a task share one entry.
 */
export async function listActivity(
  scope: ActivityScope,
  { limit, ...filter }: ActivityFilter,
): Promise<ActivityPage> {
  const { deps } = scope;
  const sight = await sightIn(scope);
  // An index without a filter by person or kind leaves out the same steps of tasks.
  const index = { ...filter, userId: filter.userId ?? 0 };
  const newest = newestSeen(deps.kv, sight, projectOf(scope), index, limit + 1);
  const events = await Array.fromAsync(newest);
  const shown = events.slice(0, limit);
  const entries = await withObjects(deps, sight, shown);
  return { hasNext: events.length > limit, activity: entries.map(briefly) };
}

/** Lists are read once for all readers, so they contain nothing that only some may see. */
function briefly(activity: Activity): Activity {
  const { changes: _, changes_left: __, address: ___, user_agent: ____, ...brief } = activity;
  return brief;
}

/** Returns one event, with the parts that the reader may see. Throws not found. */
export async function getActivity(scope: ActivityScope, id: string): Promise<Activity> {
  const { deps, actor } = scope;
  const found = await findEvent(deps.kv, projectOf(scope), id);
  const seen = await sightIn(scope);
  const [event] = found ? await seenEvents(deps.kv, seen, [found]) : [];
  if (!event) throw notFound();
  const sight = eventSightOf(actor, "permissions" in scope ? scope.permissions : ALL_PERMISSIONS);
  const [{ id: _, object, run, ending, fields }] = await withObjects(deps, seen, [event]);
  return { ...visibleEvent(sight, event.row), id: event.id, object, run, ending, fields };
}

/** Adds to events what has become of their objects. */
async function withObjects(
  deps: WaitDeps,
  sight: Sight,
  events: StoredEvent[],
): Promise<Activity[]> {
  const objects = await getAll<TaskRow & { user_id: number }>(deps.kv, events.map(objectKey));
  const begun = objects.flatMap(({ value }, n) => value && beginsTask(events[n].row) ? value : []);
  const [waits, endings] = await Promise.all([
    waitReasons(deps, begun),
    endingsOf(deps.kv, sight, events),
  ]);
  return events.map(({ id, row }, n) => {
    const { value } = objects[n];
    const begins = beginsTask(row);
    const object = value && { id: row.object_id, template_id: value.template_id };
    const fields = Object.keys(row.changes ?? {}).length + (row.changes_left ?? 0);
    const run = begins && value ? runOf(value, waits) : null;
    return { ...row, id, object, run, ending: endings.get(id) ?? null, fields };
  });
}

/** The part of a run of a workflow that says why it ended. */
interface EndedRun {
  end_reason: Sentence | null;
  failed_task?: { id: number; template_id: number; line: number | null };
}

/**
 * Returns why the runs of workflows ended whose failure or stop is an event, by event id. A task
 * that the reader does not see is left out.
 */
async function endingsOf(
  kv: Store,
  sight: Sight,
  events: StoredEvent[],
): Promise<Map<string, NonNullable<Activity["ending"]>>> {
  const ends = events.filter(({ row: { object_type, action, params } }) =>
    object_type === "workflow" && /^finished_(failed|stopped)$/.test(action) &&
    typeof params.run === "number"
  );
  const runs = await getAll<EndedRun>(
    kv,
    ends.map(({ projectId, row }) => rowKeys.workflowRun(projectId, Number(row.params.run))),
  );
  const tasks = await getAll<TaskRow>(
    kv,
    ends.map(({ projectId }, n) => rowKeys.task(projectId, runs[n].value?.failed_task?.id ?? 0)),
  );
  return new Map(ends.flatMap(({ id }, n) => {
    const { end_reason, failed_task } = runs[n].value ?? {};
    if (!end_reason) return [];
    const found = tasks[n].value;
    const task = found && failed_task && sight.maySeeTask(found) ? failed_task : null;
    return [[id, { reason: { ...plainReason(end_reason), line: task?.line ?? null }, task }]];
  }));
}

/** Returns the position of a page of activity among all matching entries, counted up to a bound. */
export async function positionInActivity(
  scope: ActivityScope,
  { limit: _, before, ...filter }: ActivityFilter,
): Promise<ListPosition> {
  const { deps: { kv } } = scope;
  const sight = await sightIn(scope);
  if (!sight.seesAll) return await positionInSeen(scope, sight, filter, before);
  const list = indexFor(projectOf(scope), filter);
  const [of, skipped] = await Promise.all([
    cachedWhile(
      kv,
      [rowKeys.eventsStamp()],
      `number of events ${JSON.stringify([list, filter])}`,
      () => countRows(kv, selectorIn(list, eventRange(filter))),
    ),
    countBefore(
      kv,
      eventList,
      [list],
      before === undefined ? null : parseEventId(before),
      eventRange({ to: filter.to }),
    ),
  ]);
  return { skipped, of };
}

/** Returns the same for a reader who does not see all events, which are counted one by one. */
async function positionInSeen(
  scope: ActivityScope,
  sight: Sight,
  filter: EventFilter,
  before: string | undefined,
): Promise<ListPosition> {
  const { deps: { kv } } = scope;
  const projectId = projectOf(scope);
  const index = { ...filter, userId: filter.userId ?? 0 };
  const ids = await cachedWhile(
    kv,
    [rowKeys.eventsStamp(), ...stampsFor(sight, projectId)],
    `events of ${projectId} seen by ${sight.readers}: ${JSON.stringify(filter)}`,
    () => Array.fromAsync(newestSeen(kv, sight, projectId, index, COUNTED_MAX + 1), ({ id }) => id),
  );
  const isMore = ids.length > COUNTED_MAX;
  const behind = before === undefined ? 0 : ids.findIndex((id) => id < before);
  const skipped = behind < 0 ? (isMore ? null : ids.length) : behind;
  return { skipped, of: isMore ? { count: COUNTED_MAX, isMore } : { count: ids.length } };
}

const runOf = (task: TaskRow, waits: ReadonlyMap<number, Reason>): Activity["run"] => ({
  status: task.status,
  start: task.start,
  end: task.end,
  reason: waits.get(task.id) ?? reasonOfEnd(task),
});

function objectKey({ projectId, row: { object_type, object_id } }: StoredEvent): Deno.KvKey {
  const kind = RESOURCES[object_type];
  if (kind) return rowKeys.resource(kind, projectId, object_id);
  if (object_type === "task") return rowKeys.task(projectId, object_id);
  if (object_type === "member") return rowKeys.member(projectId, object_id);
  if (object_type === "runner") return rowKeys.runner(object_id);
  return object_type === "user" ? rowKeys.user(object_id) : rowKeys.project(object_id);
}

/** Number of events among which people are searched for a reader who does not see all events. */
const PEOPLE_LOOKED_AT = 1_000;

/**
 * Returns the people who acted in the project or for the server, by user id. A reader who does not
 * see all events gets those of the latest events that they see.
 */
export async function listActivePeople(
  scope: ActivityScope,
): Promise<ReadonlyMap<number, RecordedPerson>> {
  const { deps: { kv } } = scope;
  const id = projectOf(scope);
  const sight = await sightIn(scope);
  return await cachedWhile(
    kv,
    [rowKeys.eventsStamp(), rowKeys.usersStamp(), ...stampsFor(sight, id)],
    `active people of ${id} seen by ${sight.readers}`,
    async () => {
      if (sight.seesAll) return await activePeople(kv, id);
      const events = newestSeen(kv, sight, id, {}, PEOPLE_LOOKED_AT);
      return await peopleOfEvents(kv, await Array.fromAsync(events, ({ row }) => row));
    },
  );
}

/** Returns the people who caused these entries, by user id. */
export const listPeopleOf = (
  { deps: { kv } }: ActivityScope,
  activity: readonly Activity[],
): Promise<ReadonlyMap<number, RecordedPerson>> => peopleOfEvents(kv, activity);
