import type { Deps } from "../access/deps.ts";
import type { ProjectScope } from "../access/scope.ts";
import { requireMayEdit } from "../access/sight.ts";
import { waitBriefly } from "../base/time/abort.ts";
import { AppError } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { progressLog } from "../base/progress_log.ts";
import { type Expected, requireVersion } from "../base/version.ts";
import { recordChange } from "../events/record_change.ts";
import { rowKeys } from "../store/keys.ts";
import { transact } from "../store/transact.ts";
import type { Atomic, Store } from "../store/store.ts";
import { deleteDrift } from "../drift/store.ts";
import { namingSeen } from "../references/seen.ts";
import { deleteTemplateSchedules } from "../triggers/schedules/repository.ts";
import { tasksGone } from "../tasks/changes.ts";
import { listOpenTasks } from "../tasks/open_tasks.ts";
import { deleteTemplateTasks } from "./tasks.ts";
import { forgetKeptFiles } from "../resources/common/kept_files.ts";
import { forgetFavourite } from "../templates/favourites/repository.ts";
import { templateRows } from "../templates/repository.ts";
import { templateSettings } from "../templates/settings.ts";

/**
 * Deletes a template with its schedules, its tasks and their output, or nothing at all if it is
 * refused. The removal of a long history goes on after the answer. Throws 409 while another
 * template deploys it, an integration starts it, or one of its tasks is open. Throws 412 if the
 * stored template is not `expected`.
 */
export async function deleteTemplate(
  scope: ProjectScope<"manage_resources">,
  id: number,
  expected?: Expected,
  answerMs?: number,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const { kv } = deps;
  await requireMayEdit(scope, "templates", id);
  const attempt = async (op: Atomic) => {
    await requireEnded(kv, op, projectId, id);
    const row = await templateRows.remove(kv, op, projectId, id);
    requireVersion(row, expected);
    const { name } = row;
    await deleteTemplateSchedules(kv, op, projectId, id);
    const event = { projectId, object: "template", id, name, action: "deleted" } as const;
    await recordChange(op, deps, actor, event, { before: templateSettings(row), after: null });
  };
  await namingSeen(scope, () => transact(kv, attempt));
  const finished = finishTemplateDeletion(deps, projectId, id)
    .then(() => tasksGone(deps, projectId));
  // The hourly sweep tries again.
  const failed = (error: unknown) =>
    deps.log("error", "template_kept", { id, ...describeError(error) });
  await waitBriefly(finished, failed, answerMs);
}

/**
 * Deletes the remaining rows of a deleted template, however many. It runs after the deletion,
 * because a refused deletion must not cost the history. By then no task can start, and no schedule
 * can be created.
 */
export async function finishTemplateDeletion(
  { kv, log }: Pick<Deps, "kv" | "log">,
  projectId: number,
  id: number,
): Promise<void> {
  while (!await transact(kv, (op) => deleteTemplateSchedules(kv, op, projectId, id)));
  const logProgress = progressLog(log, "template_sweeping");
  await deleteTemplateTasks(kv, projectId, id, (tasks) => logProgress({ template: id, tasks }));
  await deleteDrift(kv, projectId, id);
  await kv.delete(rowKeys.latestStart(projectId, "check", id));
  await forgetKeptFiles(kv, { projectId, kind: "templates", id });
  await forgetFavourite(kv, projectId, id);
  await kv.delete(rowKeys.alertFailure(projectId, "template", id));
  await kv.delete(rowKeys.referenceGuard(projectId, ["templates", id])); // set by its schedules
}

/**
 * Throws 409 while a task of the template is open. Adds a check to `op` that no new task starts.
 */
async function requireEnded(
  kv: Store,
  op: Atomic,
  projectId: number,
  id: number,
): Promise<void> {
  op.check(await kv.get(rowKeys.taskCount(projectId, id))); // changed by each new task
  const open = (await listOpenTasks(kv)).filter(({ template_id }) => template_id === id);
  if (open.length === 0) return;
  throw new AppError(409, "errors.templates.tasks_open", {}, {
    body: { tasks: open.map((task) => task.id) },
  });
}
