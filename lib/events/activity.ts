import { getAll } from "../kv/get_all.ts";
import { firstOfEach } from "../kv/first_of_each.ts";
import { rowKeys } from "../kv/keys.ts";
import { type Course, rewriteRows, unwatched } from "../kv/rewrite_rows.ts";
import { eventSelector, type StoredEvent, storedEvent } from "./repository.ts";
import type { EventObject, EventRow } from "./schema.ts";

/** What of a project's activity is wanted. */
export interface ActivityFilter {
  limit: number;
  /** Id of an event: only older ones are wanted. */
  before?: string;
  kind?: EventObject;
  /** What this person did. */
  userId?: number;
}

/**
 * Whether an event is one of the steps that follow by themselves from a task's start: activity tells
 * of them where it tells of the start.
 */
export const isFolded = ({ object_type, action }: Pick<EventRow, "object_type" | "action">) =>
  object_type === "task" && /^(starting|running|finished_\w+)$/.test(action);

/**
 * The rows that lead to an event: of a project from what activity is filtered by, and of none from
 * the account that it is about.
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

/** The newest events about an account. */
export const newestOfAccount = (kv: Deno.Kv, userId: number, limit: number) =>
  newestIndexed(kv, 0, { prefix: rowKeys.accountEvents(userId) }, limit);

/** The newest events that match, without the steps of tasks. A page costs what it shows. */
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

/** People that a filter offers. */
const PEOPLE_MAX = 200;

/** Logins of who did something in the project, by their ids. */
export async function activePeople(kv: Deno.Kv, projectId: number): Promise<Map<number, string>> {
  const people = new Map<number, string>();
  for await (const { part, entry } of firstOfEach(kv, rowKeys.activityPeople(projectId, ""))) {
    if (part === 0) continue;
    const place = entry.key.slice(-2) as [string, string];
    const { value } = await kv.get<EventRow>(rowKeys.event(projectId, ...place));
    people.set(part, value?.username ?? `#${part}`);
    if (people.size === PEOPLE_MAX) break;
  }
  return people;
}

/** A project's events each have at most four rows in the index, and a commit takes 1,000. */
const EVENTS_PER_COMMIT = 200;

/** Gives events that were stored before there was an index of activity their rows in it. */
export async function indexActivity(kv: Deno.Kv, course: Course = unwatched): Promise<void> {
  const rows = { prefix: rowKeys.everyEvent(), perCommit: EVENTS_PER_COMMIT };
  await rewriteRows<EventRow>(kv, rows, course, (op, { key, value }) => {
    if (isFolded(value)) return;
    for (const indexKey of activityKeys(key, value)) op.set(indexKey, true);
  });
}
