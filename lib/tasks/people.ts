import type { RecordedPerson } from "../base/person.ts";
import type { ProjectScope } from "../access/scope.ts";
import { firstOfEach } from "../store/first_of_each.ts";
import { getAll } from "../store/rows/get_all.ts";
import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { findTask } from "../model/tasks.ts";

/** Maximum number of people that a filter offers. */
const PEOPLE_MAX = 200;

/** Returns the people who started tasks of the project, by user id in ascending order. */
export const listStartingPeople = (
  { deps: { kv }, projectId }: ProjectScope,
): Promise<ReadonlyMap<number, RecordedPerson>> =>
  cachedWhile(
    kv,
    [rowKeys.tasksWake(), rowKeys.usersStamp()],
    `people of tasks of ${projectId}`,
    () => readPeople(kv, projectId),
  );

async function readPeople(kv: Store, projectId: number): Promise<Map<number, RecordedPerson>> {
  const firsts = new Map<number, number>();
  for await (const { part, entry } of firstOfEach(kv, rowKeys.taskStarters(projectId, 0))) {
    if (part !== 0) firsts.set(Math.abs(part), entry.key.at(-1) as number);
    if (firsts.size === PEOPLE_MAX) break;
  }
  const ids = [...firsts.keys()].sort((a, b) => a - b);
  const users = await getAll<{ name: string }>(kv, ids.map(rowKeys.user));
  const people = await Promise.all(ids.map(async (user_id, n) => {
    const known = users[n].value?.name;
    // For a deleted account, the names at the time of the task.
    const task = known ? null : await findTask(kv, projectId, firsts.get(user_id)!);
    const user_name = known ?? task?.user_name ?? `#${user_id}`;
    return [user_id, { user_id, username: task?.username, user_name }] as const;
  }));
  return new Map(people);
}
