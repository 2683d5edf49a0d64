import type { ProjectScope } from "../access/scope.ts";
import { AppError } from "../base/errors.ts";
import { type Expected, requireVersion } from "../base/version.ts";
import { recordEvent } from "../events/record.ts";
import { rowKeys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import { deleteTemplateSchedules } from "../triggers/schedules/repository.ts";
import { tasksGone } from "../tasks/changes.ts";
import { listOpenTasks } from "../tasks/open_tasks.ts";
import { deleteTemplateTasks } from "./tasks.ts";
import { forgetFavourite } from "../templates/favourites/repository.ts";
import { templateRows } from "../templates/repository.ts";

/**
 * Deletes a template with its schedules, tasks and their output, or, when that is refused, nothing
 * at all. Throws 409 while another template deploys it, an integration starts it, or one of its tasks
 * has no end, and 412 when what is stored is not `expected`.
 */
export async function deleteTemplate(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  expected?: Expected,
): Promise<void> {
  const { kv } = deps;
  await transact(kv, async (op) => {
    await requireEnded(kv, op, projectId, id);
    const row = await templateRows.remove(kv, op, projectId, id);
    requireVersion(row, expected);
    const { name } = row;
    await deleteTemplateSchedules(kv, op, projectId, id);
    recordEvent(op, deps, actor, { projectId, object: "template", id, name, action: "deleted" });
  });
  await finishTemplateDeletion(kv, projectId, id);
  await tasksGone(deps, projectId);
}

/**
 * Deletes what a template leaves behind that is gone, as much as there may be. Only then: a deletion
 * that is refused must not cost the history. No task can begin any more, nor a schedule be made.
 */
export async function finishTemplateDeletion(kv: Deno.Kv, projectId: number, id: number) {
  while (!await transact(kv, (op) => deleteTemplateSchedules(kv, op, projectId, id)));
  await deleteTemplateTasks(kv, projectId, id);
  await forgetFavourite(kv, projectId, id);
  await kv.delete(rowKeys.referenceGuard(projectId, ["templates", id])); // its last schedules moved it
}

/** Throws 409 while a task of the template has no end. Adds to `op` that no new one begins. */
async function requireEnded(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  id: number,
): Promise<void> {
  op.check(await kv.get(rowKeys.taskCount(projectId, id))); // moved by each new task
  const open = (await listOpenTasks(kv)).filter(({ template_id }) => template_id === id);
  if (open.length === 0) return;
  throw new AppError(409, "errors.templates.tasks_open", {}, {
    body: { tasks: open.map((task) => task.id) },
  });
}
