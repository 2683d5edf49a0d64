import type { RecordedPerson } from "../base/person.ts";
import type { ProjectScope } from "../access/scope.ts";
import { sightStamps } from "../access/rules/read.ts";
import { type Sight, sightOf } from "../access/sight.ts";
import { firstOfEach } from "../store/first_of_each.ts";
import { getAll } from "../store/rows/get_all.ts";
import { cachedWhile } from "../store/cached.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { findTask } from "../model/tasks.ts";
import { listHistory } from "./history/history.ts";

/** Maximum number of people that a filter offers. */
const PEOPLE_MAX = 200;

/** Returns the people who started tasks that the actor sees, by user id in ascending order. */
export async function listStartingPeople(
  scope: ProjectScope,
): Promise<ReadonlyMap<number, RecordedPerson>> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  return await cachedWhile(
    kv,
    [rowKeys.tasksWake(), rowKeys.usersStamp(), ...sightStamps(projectId)],
    `people of tasks of ${projectId} ${sight.readers}`,
    () => readPeople(kv, projectId, sight),
  );
}

async function readPeople(
  kv: Store,
  projectId: number,
  sight: Sight,
): Promise<Map<number, RecordedPerson>> {
  const firsts = new Map<number, number>();
  for await (const { part, entry } of firstOfEach(kv, rowKeys.taskStarters(projectId, 0))) {
    if (part !== 0) firsts.set(Math.abs(part), entry.key.at(-1) as number);
    if (firsts.size === PEOPLE_MAX) break;
  }
  const all = [...firsts.keys()].sort((a, b) => a - b);
  const ids = sight.seesAll ? all : await seenPeople(kv, projectId, all, sight);
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

/** Returns those of the people of whom someone sees a task. */
async function seenPeople(
  kv: Store,
  projectId: number,
  people: number[],
  sight: Sight,
): Promise<number[]> {
  const pages = await Promise.all(
    people.map((userId) => listHistory(kv, projectId, { userId, limit: 1 }, sight)),
  );
  return people.filter((_, n) => pages[n].tasks.length > 0);
}
