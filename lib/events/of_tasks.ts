import { deleteFound } from "../store/delete_prefix.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { activityKeys } from "./activity.ts";
import type { EventRow } from "./schema.ts";

/** The event of a step is stored at most this long after the time in the row of its task. */
const STEP_MS = 50;

/** A task with the times of the steps whose events no index has, in milliseconds. */
interface TaskSteps {
  id: number;
  times: number[];
}

/** Deletes all events about some tasks of a project. */
export async function deleteEventsOfTasks(
  kv: Store,
  projectId: number,
  tasks: TaskSteps[],
): Promise<void> {
  const found = await Promise.all(tasks.flatMap(({ id, times }) => [
    indexedKeys(kv, projectId, id),
    ...times.map((time) => stepKeys(kv, projectId, id, time)),
  ]));
  await deleteFound(kv, [], found.flat());
  await kv.set(rowKeys.eventsStamp(), projectId);
}

/** Returns the keys of the events that an index has, and those of their rows in indices. */
async function indexedKeys(kv: Store, projectId: number, taskId: number) {
  const prefix = rowKeys.objectEvents(projectId, "task", taskId, 0);
  const keys = await Array.fromAsync(
    kv.list({ prefix }),
    ({ key }) => rowKeys.event(projectId, ...key.slice(-2) as [string, string]),
  );
  const events = await getAll<EventRow>(kv, keys);
  return events.flatMap(({ key, value }) => value ? [key, ...activityKeys(key, value)] : []);
}

/** Returns the keys of the task's events at this time. */
async function stepKeys(kv: Store, projectId: number, taskId: number, time: number) {
  const events = rowKeys.events(projectId);
  const [start, end] = [time, time + STEP_MS].map((at) => [...events, new Date(at).toISOString()]);
  const rows = await Array.fromAsync(kv.list<EventRow>({ start, end }));
  const own = rows.filter(({ value }) =>
    value.object_type === "task" && value.object_id === taskId
  );
  return own.map(({ key }) => key);
}
