import { serialize } from "node:v8";
import { AppError } from "../base/errors.ts";
import { holdProject } from "../kv/hold_project.ts";
import { addCounted } from "../kv/counted.ts";
import { inTurn } from "../kv/in_turn.ts";
import { rowKeys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import type { TaskRow } from "./schema.ts";
import { isFinished, mayBegin } from "./status.ts";
import { openTask } from "./open_tasks.ts";
import { indexKeys } from "./index_keys.ts";
import { countRun } from "./trends/counters.ts";

/** KV takes 64 KiB a value, and a commit's message and the reason of the end come later. */
const TASK_BYTES_MAX = 56 * 1024;

/**
 * A transaction that may change which task is its template's newest. Starts of one template would
 * only make each other begin again: in one process they come one after the other.
 */
export function takeTurn<T>(
  kv: Deno.Kv,
  { project_id, template_id }: Pick<TaskRow, "project_id" | "template_id">,
  attempt: (op: Deno.AtomicOperation) => Promise<T>,
): Promise<T> {
  return inTurn(kv, `newest task ${project_id}/${template_id}`, () => transact(kv, attempt));
}

/**
 * Adds a new task to `op`: queued, unless it comes with its end. Throws 400 for one that KV would
 * not take, not found for a project that is gone or going.
 */
export async function insertTask(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  task: TaskRow,
): Promise<void> {
  if (serialize(task).byteLength > TASK_BYTES_MAX) {
    throw new AppError(400, "errors.task_too_large", { max: TASK_BYTES_MAX });
  }
  if (!mayBegin(task.status)) throw new Error(`a task cannot begin as ${task.status}`);
  const { id, project_id: projectId, template_id: templateId } = task;
  await holdProject(kv, op, projectId);
  const [last, count] = await kv.getMany<[TaskRow, Deno.KvU64]>([
    rowKeys.lastTask(projectId, templateId),
    rowKeys.taskCount(projectId, templateId),
  ]);
  // Ids are given out before tasks are stored, so that an older one may come later. Other starts
  // move the count; the steps of the newest task, which move its copy only, need not be waited for.
  if (last.value && last.value.id > id) op.check(last);
  else op.set(last.key, task);
  op.check(count, { key: rowKeys.task(projectId, id), versionstamp: null })
    .set(rowKeys.tasksWake(), id)
    .sum(count.key, 1n);
  if (isFinished(task.status)) countRun(op, task);
  else op.set(rowKeys.openTask(id), openTask(task, null));
  addCounted(op, rowKeys.task(projectId, id), task);
  for (const key of indexKeys(task)) addCounted(op, key);
}
