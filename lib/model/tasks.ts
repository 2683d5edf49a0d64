import { notFound } from "../base/errors.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { TaskRow } from "./task_row.ts";

/** Returns the task with its versionstamp, to check in a commit. */
export const findTaskEntry = (
  kv: Store,
  projectId: number,
  id: number,
): Promise<Deno.KvEntryMaybe<TaskRow>> => kv.get<TaskRow>(rowKeys.task(projectId, id));

/** Returns the task with this project and id, or null. */
export async function findTask(
  kv: Store,
  projectId: number,
  id: number,
): Promise<TaskRow | null> {
  return (await findTaskEntry(kv, projectId, id)).value;
}

/** Returns the task. Throws 404 if it does not exist. */
export async function getTaskRow(kv: Store, projectId: number, id: number): Promise<TaskRow> {
  const task = await findTask(kv, projectId, id);
  if (!task) throw notFound();
  return task;
}

/** Returns the existing tasks of these projects and ids, in the requested order. */
export async function getTasks(
  kv: Store,
  ids: [project: number, id: number][],
): Promise<TaskRow[]> {
  const rows = await getAll<TaskRow>(kv, ids.map(([project, id]) => rowKeys.task(project, id)));
  return rows.flatMap(({ value }) => value ?? []);
}
