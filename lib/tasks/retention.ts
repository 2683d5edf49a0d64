import { conflict } from "../errors.ts";
import { keys } from "../kv/keys.ts";
import { deleteAnswers } from "./answer_store.ts";
import { deleteLog } from "./log_store.ts";
import { findTask } from "./repository.ts";
import type { TaskRow } from "./schema.ts";
import { isFinished } from "./status.ts";

/** Removes a finished task with its output and index rows; throws 409 while it has no end. */
export async function removeTask(kv: Deno.Kv, task: TaskRow): Promise<void> {
  if (!isFinished(task.status)) throw conflict("errors.task_open", { id: task.id });
  const { id, project_id: projectId, template_id: templateId } = task;
  // The output first: what is left after a crash is a task without output, never output without a task.
  await deleteLog(kv, id);
  const last = await kv.get<TaskRow>(keys.lastTask(projectId, templateId));
  const op = kv.atomic()
    .delete(keys.task(projectId, id))
    .delete(keys.taskByTemplate(projectId, templateId, id))
    .delete(keys.build(projectId, templateId, id));
  deleteAnswers(op, task);
  await op.commit();
  if (last.value?.id === id) await pointToNewest(kv, projectId, templateId);
}

/** Removes every task of a template that is being deleted; throws 409 while one has no end. */
export async function deleteTemplateTasks(
  deps: { kv: Deno.Kv },
  projectId: number,
  templateId: number,
): Promise<void> {
  const { kv } = deps;
  for await (const { key } of kv.list({ prefix: keys.tasksByTemplate(projectId, templateId) })) {
    const task = await findTask(kv, projectId, key.at(-1) as number);
    if (task) await removeTask(kv, task);
  }
  await kv.atomic()
    .delete(keys.lastTask(projectId, templateId))
    .delete(keys.buildVersion(projectId, templateId))
    .delete(keys.taskCount(projectId, templateId))
    .commit();
}

async function pointToNewest(kv: Deno.Kv, projectId: number, templateId: number) {
  const last = await kv.get<TaskRow>(keys.lastTask(projectId, templateId));
  const op = kv.atomic().check(last).delete(last.key);
  const selector = { prefix: keys.tasksByTemplate(projectId, templateId) };
  for await (const { key } of kv.list(selector, { reverse: true, limit: 1 })) {
    const newest = await findTask(kv, projectId, key.at(-1) as number);
    if (newest) op.set(last.key, newest);
  }
  await op.commit();
}
