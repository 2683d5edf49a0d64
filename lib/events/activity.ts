import { getAll } from "../kv/get_all.ts";
import { firstOfEach } from "../kv/first_of_each.ts";
import { rowKeys } from "../kv/keys.ts";
import { type Course, rewriteRows, unwatched } from "../kv/rewrite_rows.ts";
import { eventSelector, type StoredEvent, storedEvent } from "./repository.ts";
import type { EventObject, EventRow } from "./schema.ts";

/** Filter for a project's activity. */
export interface ActivityFilter {
  limit: number;
  /** Id of an event. Only older ones are returned. */
  before?: string;
  kind?: EventObject;
  /** Only events that this person caused. */
  userId?: number;
}

/**
 * Whether an event is one of the steps that follow automatically from a task's start. The activity
 * list leaves them out because it shows the start.
 */
export const isFolded = ({ object_type, action }: Pick<EventRow, "object_type" | "action">) =>
  object_type === "task" && /^(starting|running|finished_\w+)$/.test(action);

/**
 * Keys of the index rows of an event. An event of a project is listed under all that activity can
 * be filtered by, one without a project under the account that it is about.
 */
export function activityKeys(key: Deno.KvKey, row: EventRow): Deno.KvKey[] {
  const [, projectId, created, unique] = key as [string, number, string, string];
  if (projectId === 0) {
    return row.object_type === "user" ? [rowKeys.accountEvent(row.object_id, created, unique)] : [];
  }
  const people = row.user_id === null ? [0] : [0, row.user_id];
  return ["", row.object_type].flatMap((kind) =>
    people.map((userId) => [...rowKeys.activity(projectId, kind, userId), created, unique])
  );
}

/** The latest events about an account. */
export const newestOfAccount = (kv: Deno.Kv, userId: number, limit: number) =>
  newestIndexed(kv, 0, { prefix: rowKeys.accountEvents(userId) }, limit);

/** The latest events that match, without the steps of tasks. Reads no more rows than it returns. */
export const newestActivity = (
  kv: Deno.Kv,
  projectId: number,
  { limit, before, kind, userId = 0 }: ActivityFilter,
): Promise<StoredEvent[]> =>
  newestIndexed(
    kv,
    projectId,
    eventSelector(rowKeys.activity(projectId, kind ?? "", userId), before),
    limit,
  );

async function newestIndexed(
  kv: Deno.Kv,
  projectId: number,
  selector: Deno.KvListSelector,
  limit: number,
): Promise<StoredEvent[]> {
  const found = await Array.fromAsync(
    kv.list(selector, { reverse: true, limit, batchSize: Math.min(limit, 500) }),
    ({ key }) => rowKeys.event(projectId, ...key.slice(-2) as [string, string]),
  );
  const rows = await getAll<EventRow>(kv, found);
  return rows.flatMap((entry) => entry.value ? [storedEvent(entry)] : []);
}

/** Maximum number of people offered by a filter. */
const PEOPLE_MAX = 200;

/** Logins of the people who caused events in the project, by their ids. */
export async function activePeople(kv: Deno.Kv, projectId: number): Promise<Map<number, string>> {
  const people = new Map<number, string>();
  for await (const { part, entry } of firstOfEach(kv, rowKeys.activityPeople(projectId, ""))) {
    if (part === 0) continue;
    const key = entry.key.slice(-2) as [string, string];
    const { value } = await kv.get<EventRow>(rowKeys.event(projectId, ...key));
    people.set(part, value?.username ?? `#${part}`);
    if (people.size === PEOPLE_MAX) break;
  }
  return people;
}

/** An event of a project has at most four rows in the index, and a commit takes 1,000. */
const EVENTS_PER_COMMIT = 200;

/** Adds index rows for events that were stored before the index of activity existed. */
export async function indexActivity(kv: Deno.Kv, course: Course = unwatched): Promise<void> {
  const rows = { prefix: rowKeys.everyEvent(), perCommit: EVENTS_PER_COMMIT };
  await rewriteRows<EventRow>(kv, rows, course, (op, { key, value }) => {
    if (isFolded(value)) return;
    for (const indexKey of activityKeys(key, value)) op.set(indexKey, true);
  });
}
