import type { RecordedPerson } from "../base/person.ts";
import { firstOfEach } from "../store/first_of_each.ts";
import { rowKeys } from "../store/keys.ts";
import { getAll } from "../store/rows/get_all.ts";
import type { Store } from "../store/store.ts";
import { readIndexed, type StoredEvent } from "./repository.ts";
import type { EventRow } from "./schema.ts";

/**
 * Whether an event is one of the steps that follow automatically from a task's start. The activity
 * list leaves them out because it shows the start.
 */
export const isFolded = ({ object_type, action }: Pick<EventRow, "object_type" | "action">) =>
  object_type === "task" && /^(starting|running|finished_\w+)$/.test(action);

/**
 * Keys of the index rows of an event, which is listed under all that events can be filtered by. One
 * without a project is also listed under the account that it is about.
 */
export function activityKeys(key: Deno.KvKey, row: EventRow): Deno.KvKey[] {
  const [, projectId, created, unique] = key as [string, number, string, string];
  const { object_type: kind, object_id: id, user_id } = row;
  const people = user_id === null ? [0] : [0, user_id];
  const lists = people.flatMap((userId) => [
    rowKeys.activity(projectId, "", userId),
    rowKeys.activity(projectId, kind, userId),
    rowKeys.objectEvents(projectId, kind, id, userId),
  ]);
  const isOfAccount = projectId === 0 && kind === "user";
  return [...lists, ...isOfAccount ? [rowKeys.accountEvents(id)] : []]
    .map((list) => [...list, created, unique]);
}

/** The latest events about an account. */
export async function newestOfAccount(
  kv: Store,
  userId: number,
  limit: number,
): Promise<StoredEvent[]> {
  const prefix = rowKeys.accountEvents(userId);
  const rows = await Array.fromAsync(kv.list({ prefix }, { reverse: true, limit }));
  return await readIndexed(kv, 0, rows);
}

/** Maximum number of people offered by a filter. */
const PEOPLE_MAX = 200;

/** The people who caused events in the project, by their ids. */
export async function activePeople(
  kv: Store,
  projectId: number,
): Promise<Map<number, RecordedPerson>> {
  const logins = new Map<number, string | null | undefined>();
  for await (const { part, entry } of firstOfEach(kv, rowKeys.activityPeople(projectId, ""))) {
    if (part === 0) continue;
    const key = entry.key.slice(-2) as [string, string];
    const { value } = await kv.get<EventRow>(rowKeys.event(projectId, ...key));
    logins.set(part, value?.username);
    if (logins.size === PEOPLE_MAX) break;
  }
  return await withNames(kv, logins);
}

/** The people who caused some events, by their ids. */
export const peopleOfEvents = (
  kv: Store,
  events: readonly Pick<EventRow, "user_id" | "username">[],
): Promise<Map<number, RecordedPerson>> =>
  withNames(
    kv,
    new Map(events.flatMap(({ user_id, username }) => user_id ? [[user_id, username]] : [])),
  );

/** Returns people with their present names. A deleted account has the login that it had. */
async function withNames(
  kv: Store,
  logins: ReadonlyMap<number, string | null | undefined>,
): Promise<Map<number, RecordedPerson>> {
  const users = await getAll<{ name: string }>(kv, [...logins.keys()].map(rowKeys.user));
  return new Map([...logins].map(([user_id, username], n) => [user_id, {
    user_id,
    username,
    user_name: users[n].value?.name ?? username ?? `#${user_id}`,
  }]));
}
