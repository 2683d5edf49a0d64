import { serialize } from "node:v8";
import { AppError } from "../base/errors.ts";
import { holdProject } from "../kv/hold_project.ts";
import { addCounted } from "../kv/counted.ts";
import { inTurn } from "../kv/in_turn.ts";
import { rowKeys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import type { TaskRow } from "./schema.ts";
import { isFinished, isFirstStatus } from "./status.ts";
import { openTask } from "./open_tasks.ts";
import { indexKeys } from "./index_keys.ts";
import { countRun } from "./trends/counters.ts";

/** KV takes 64 KiB a value. The commit's message and the reason of the end are added later. */
const TASK_BYTES_MAX = 56 * 1024;

/**
 * Runs a transaction that may change a template's latest task. Within one process, the starts of a
 * template take turns, because parallel ones would only make each other retry.
 */
export function takeTurn<T>(
  kv: Deno.Kv,
  { project_id, template_id }: Pick<TaskRow, "project_id" | "template_id">,
  attempt: (op: Deno.AtomicOperation) => Promise<T>,
): Promise<T> {
  return inTurn(kv, `newest task ${project_id}/${template_id}`, () => transact(kv, attempt));
}

/**
 * Adds a new task to `op`. It is queued, unless it already has a final status. Throws 400 for a
 * task that KV would not take, and 404 if the project is deleted or being deleted.
 */
export async function insertTask(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  task: TaskRow,
): Promise<void> {
  if (serialize(task).byteLength > TASK_BYTES_MAX) {
    throw new AppError(400, "errors.task_too_large", { max: TASK_BYTES_MAX });
  }
  if (!isFirstStatus(task.status)) throw new Error(`a task cannot begin as ${task.status}`);
  const { id, project_id: projectId, template_id: templateId } = task;
  await holdProject(kv, op, projectId);
  const [last, count] = await kv.getMany<[TaskRow, Deno.KvU64]>([
    rowKeys.lastTask(projectId, templateId),
    rowKeys.taskCount(projectId, templateId),
  ]);
  // Ids are assigned before tasks are stored, so an older task may be stored later. Other starts
  // change the count. Steps of the latest task change only its copy, so they need no retry.
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
