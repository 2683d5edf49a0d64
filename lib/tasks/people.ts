import type { ProjectScope } from "../access/scope.ts";
import { firstOfEach } from "../kv/first_of_each.ts";
import { getAll } from "../kv/get_all.ts";
import { cachedWhile } from "../kv/cached.ts";
import { rowKeys } from "../kv/keys.ts";
import { distinctNames } from "../people/users/shared_names.ts";
import { findTask } from "./repository.ts";

/** Maximum number of people that a filter offers. */
const PEOPLE_MAX = 200;

/** Returns the names of people who started tasks of the project, by user id in ascending order. */
export const listStartingPeople = (
  { deps: { kv }, projectId }: ProjectScope,
): Promise<ReadonlyMap<number, string>> =>
  cachedWhile(
    kv,
    [rowKeys.tasksWake(), rowKeys.usersStamp()],
    `people of tasks of ${projectId}`,
    () => readPeople(kv, projectId),
  );

async function readPeople(kv: Deno.Kv, projectId: number): Promise<Map<number, string>> {
  const firsts = new Map<number, number>();
  for await (const { part, entry } of firstOfEach(kv, rowKeys.taskStarters(projectId, 0))) {
    if (part !== 0) firsts.set(Math.abs(part), entry.key.at(-1) as number);
    if (firsts.size === PEOPLE_MAX) break;
  }
  const ids = [...firsts.keys()].sort((a, b) => a - b);
  const [users, nameOf] = await Promise.all([
    getAll<{ name: string; username: string }>(kv, ids.map(rowKeys.user)),
    distinctNames(kv),
  ]);
  const names = await Promise.all(ids.map(async (id, n) => {
    const user = users[n].value;
    const known = user && nameOf(user);
    // For a deleted account, the name at the time of the task.
    const name = known ?? (await findTask(kv, projectId, firsts.get(id)!))?.user_name ?? `#${id}`;
    return [id, name] as const;
  }));
  return new Map(names);
}
