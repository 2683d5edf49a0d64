import { serialize } from "node:v8";
import { AppError } from "../base/errors.ts";
import { type HeldProject, requireProject } from "../store/guard_project.ts";
import { addCounted } from "../store/counted.ts";
import { inTurn, transact } from "../store/transact.ts";
import { rowKeys } from "../store/keys.ts";
import { LIMITS, valueBytes } from "../store/limits.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { TaskRow } from "../model/task_row.ts";
import { isFinished, isFirstStatus } from "../model/status.ts";
import { openTask } from "./open_tasks.ts";
import { indexKeys } from "./history/index_keys.ts";
import { countRun } from "./trends/counters.ts";

/** A task that has no id until it is stored. */
export type TaskDraft = Omit<TaskRow, "id">;

/** KV takes 64 KiB a value. The commit's message and the reason of the end are added later. */
const TASK_BYTES_MAX = 56 * 1024;

/** Bytes of members that each task gets later, such as the times of its steps. */
const SMALL_BYTES = 2 * 1024;

/** Returns the bytes that a text may add to the row of a task. */
export const roomOf = (task: TaskRow): number =>
  Math.max(LIMITS.valueBytes - valueBytes(task) - SMALL_BYTES, SMALL_BYTES);

/**
 * Runs a transaction that adds or removes tasks. Within one process they take turns, because
 * parallel ones would only make each other retry: starts take the next id, and both may change a
 * template's latest task.
 */
export function takeTurn<T>(
  kv: Store,
  attempt: (op: Atomic) => Promise<T>,
): Promise<T> {
  return inTurn(kv, "history", () => transact(kv, attempt));
}

/** The end of a template's history, which a new task changes. */
interface HistoryEnd {
  last: Deno.KvEntryMaybe<TaskRow>;
  count: Deno.KvEntryMaybe<Deno.KvU64>;
}

/**
 * Reads the end of a template's history, and checks in `op` that it is still the same at the
 * commit. Throws 404 if the project is deleted or being deleted.
 */
export async function holdHistory(
  kv: Store,
  op: Atomic,
  { project_id, template_id }: Pick<TaskRow, "project_id" | "template_id">,
): Promise<HistoryEnd> {
  const [project, last, count] = await kv.getMany<[HeldProject, TaskRow, Deno.KvU64]>([
    rowKeys.project(project_id),
    rowKeys.lastTask(project_id, template_id),
    rowKeys.taskCount(project_id, template_id),
  ]);
  // Other starts change the count. Steps of the latest task change only its copy, so they need no
  // retry.
  op.check(requireProject(project), count);
  return { last, count };
}

/**
 * Adds a new task to `op`, behind the end of its template's history. It is queued, unless it
 * already has a final status. Throws 400 for a task that KV would not take.
 */
export function insertTask(
  op: Atomic,
  { last, count }: HistoryEnd,
  task: TaskRow,
): void {
  if (serialize(task).byteLength > TASK_BYTES_MAX) {
    throw new AppError(400, "errors.task_too_large", { max: TASK_BYTES_MAX });
  }
  if (!isFirstStatus(task.status)) throw new Error(`a task cannot begin as ${task.status}`);
  const { id, project_id: projectId } = task;
  // An import stores tasks that are older than the latest one.
  if (last.value && last.value.id > id) op.check(last);
  else if (!task.check) op.set(last.key, task);
  op.check({ key: rowKeys.task(projectId, id), versionstamp: null })
    .set(rowKeys.tasksWake(), id);
  // A check does not count. The row changes all the same, so that a deletion notices it.
  if (task.check) op.set(count.key, count.value ?? new Deno.KvU64(0n));
  else op.sum(count.key, 1n);
  if (isFinished(task.status)) countRun(op, task);
  else op.set(rowKeys.openTask(id), openTask(task, null));
  addCounted(op, rowKeys.task(projectId, id), task);
  for (const key of indexKeys(task)) addCounted(op, key);
}
