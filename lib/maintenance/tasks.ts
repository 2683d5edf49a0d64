import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import { conflict, forbidden, notFound } from "../base/errors.ts";
import { type Expected, requireVersion } from "../base/version.ts";
import { deleteEventsOfTasks } from "../events/of_tasks.ts";
import { recordEvent } from "../events/record.ts";
import { inGroups } from "../base/groups.ts";
import { removeAllCounted, removeCounted } from "../store/counted.ts";
import { deletePrefix } from "../store/delete_prefix.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { deleteApproved } from "../tasks/approved_inputs.ts";
import { deleteAnswers, deleteSecretAnswers } from "../tasks/answer_store.ts";
import { deleteHosts } from "../tasks/host_store.ts";
import { forgetRuns } from "../hosts/store.ts";
import { deleteRecords } from "../output/store.ts";
import { deleteOutputs } from "../tasks/outputs.ts";
import { deleteVotes } from "../tasks/vote_store.ts";
import { listTemplateTasks } from "../tasks/repository.ts";
import { findTaskEntry } from "../model/tasks.ts";
import { schedulesChanged, taskEvent, tasksGone } from "../tasks/changes.ts";
import { takeTurn } from "../tasks/insert.ts";
import { indexKeys } from "../tasks/history/index_keys.ts";
import type { TaskRow } from "../model/task_row.ts";
import { isRepeated } from "../tasks/attempts.ts";
import { isFinished } from "../model/status.ts";

/** Deletes a finished task with its output. Requires an admin. Throws 409 for an open task. */
export async function deleteTask(
  scope: ProjectScope<"manage_resources">,
  id: number,
  expected?: Expected,
) {
  const { deps, actor, projectId } = scope;
  if (actor.kind !== "user" || !actor.admin) throw forbidden();
  const task = await getSeenTask(scope, id);
  requireVersion(task, expected); // a finished task never changes
  const record = (op: Atomic) => recordEvent(op, deps, actor, taskEvent(task, "deleted"));
  await removeTask(deps.kv, task, record);
  await tasksGone(deps, projectId);
}

/**
 * Removes a finished task with its output, its results on hosts, and its index rows. `also` adds to
 * the commit. Throws 409 for an open task, not found for a deleted one.
 */
export async function removeTask(
  kv: Store,
  task: TaskRow,
  also: (op: Atomic) => void = () => {},
): Promise<void> {
  if (!isFinished(task.status)) throw conflict("errors.task_open", { id: task.id });
  const { id, project_id: projectId, template_id: templateId } = task;
  // The output goes first. A crash can leave a task without output, but never output without a
  // task.
  await forgetRuns(kv, projectId, [id]);
  await deleteRecords(kv, id);
  await deleteOutputs(kv, projectId, [id]);
  await deleteVotes(kv, [task]);
  await takeTurn(kv, async (op) => {
    const last = await kv.get<TaskRow>(rowKeys.lastTask(projectId, templateId));
    const entry = await findTaskEntry(kv, projectId, id);
    if (entry.versionstamp === null) throw notFound();
    op.check(entry).set(rowKeys.tasksWake(), id);
    deleteAnswers(op, task);
    forgetAttempt(op, task);
    deleteHosts(op, task);
    schedulesChanged(op, [task]);
    also(op);
    for (const key of [entry.key, ...indexKeys(task)]) removeCounted(op, key);
    if (last.value?.id !== id) return;
    const next = await newestBefore(kv, task);
    op.check(last);
    if (next) op.set(last.key, next);
    else op.delete(last.key);
  });
}

/** Deletes what is stored of an attempt because another one follows, or followed. */
function forgetAttempt(op: Atomic, task: TaskRow): void {
  if (!isRepeated(task)) return;
  deleteSecretAnswers(op, task.id);
  deleteApproved(op, task.id);
  op.delete(rowKeys.repeatedTask(task.project_id, task.id));
}

/** Tasks per commit: a commit takes ten checks, and checks one row of each task. */
const TASKS_PER_COMMIT = 10;

/**
 * Removes finished tasks of a project, as `removeTask` does. The latest task of a template is left
 * to `removeTask`, because a copy of it is stored. With `events`, the events about the tasks go,
 * too. Returns the number of removed tasks.
 */
export async function removeOldTasks(
  kv: Store,
  tasks: TaskRow[],
  { events = false } = {},
): Promise<number> {
  // A task that exceeds two limits is found twice.
  const unlike = [...new Map(tasks.map((task) => [task.id, task])).values()];
  if (unlike.length === 0) return 0;
  if (events) await deleteEventsOfTasks(kv, unlike[0].project_id, unlike.map(stepsOf));
  return await removeTogether(kv, unlike);
}

/** An imported task has no events, and so no `steps`. */
const stepsOf = ({ id, created, start, end, steps = [] }: TaskRow) => {
  const known = [start, end].flatMap((time) => time === null ? [] : Date.parse(time));
  const times = new Set([...known, ...steps.map((ms) => Date.parse(created) + ms)]);
  return { id, times: [...times] };
};

/** Removes what tasks of a project have left, and then the tasks, in as few commits as possible. */
async function removeTogether(kv: Store, tasks: TaskRow[]): Promise<number> {
  const [{ project_id: projectId }] = tasks;
  const ids = tasks.map(({ id }) => id);
  await forgetRuns(kv, projectId, ids);
  await deleteRecords(kv, ...ids);
  await deleteOutputs(kv, projectId, ids);
  await deleteVotes(kv, tasks);
  let removed = 0;
  for (let at = 0; at < tasks.length; at += TASKS_PER_COMMIT) {
    removed += await removeRows(kv, projectId, tasks.slice(at, at + TASKS_PER_COMMIT));
  }
  return removed;
}

/** Removes the rows of tasks in one commit. */
async function removeRows(kv: Store, projectId: number, tasks: TaskRow[]): Promise<number> {
  const ids = tasks.map(({ id }) => id);
  const templateIds = [...new Set(tasks.map(({ template_id }) => template_id))];
  const readLast = async () =>
    (await getAll<TaskRow>(kv, templateIds.map((id) => rowKeys.lastTask(projectId, id))))
      .flatMap(({ value }) => value ?? []);
  const removed = await takeTurn(kv, async (op) => {
    const last = new Set((await readLast()).map(({ id }) => id));
    const entries = await getAll<TaskRow>(kv, ids.map((id) => rowKeys.task(projectId, id)));
    const found = entries.filter(({ value }) => value !== null && !last.has(value.id));
    if (found.length === 0) return 0;
    op.check(...found).set(rowKeys.tasksWake(), ids[0]);
    for (const { value } of found) {
      deleteAnswers(op, value!);
      forgetAttempt(op, value!);
      deleteHosts(op, value!);
    }
    schedulesChanged(op, found.map(({ value }) => value!));
    removeAllCounted(op, found.flatMap(({ key, value }) => [key, ...indexKeys(value!)]));
    return found.length;
  });
  for (const newest of await readLast()) {
    // Later tasks were deleted meanwhile, so this one has a copy, which must be removed, too.
    if (ids.includes(newest.id)) await removeTask(kv, newest);
  }
  return removed;
}

/** The template's latest task that is older than this one, or null. */
async function newestBefore(kv: Store, { id, project_id, template_id }: TaskRow) {
  const page = { limit: 1, before: id };
  return (await listTemplateTasks(kv, project_id, template_id, page)).at(0) ?? null;
}

/** Yields the rows of a template's tasks in an index: its runs, then its checks. */
async function* rowsOfTasks(kv: Store, projectId: number, templateId: number) {
  yield* kv.list({ prefix: rowKeys.tasksByTemplate(projectId, templateId) });
  yield* kv.list({ prefix: rowKeys.taskHistory(projectId, templateId, "check", "") });
}

/**
 * Removes every task of a deleted template, and calls `onProgress` with the number of removed
 * tasks. Throws 409 while one is open.
 */
export async function deleteTemplateTasks(
  kv: Store,
  projectId: number,
  templateId: number,
  onProgress: (removed: number) => void = () => {},
): Promise<void> {
  // The latest task is kept as long as there is a copy of it.
  await kv.delete(rowKeys.lastTask(projectId, templateId));
  let removed = 0;
  for await (const group of inGroups(rowsOfTasks(kv, projectId, templateId), TASKS_PER_COMMIT)) {
    const ids = group.map(({ key }) => key.at(-1) as number);
    const tasks = await getAll<TaskRow>(kv, ids.map((id) => rowKeys.task(projectId, id)));
    const found = tasks.flatMap(({ value }) => value ?? []);
    const open = found.find(({ status }) => !isFinished(status));
    if (open) throw conflict("errors.task_open", { id: open.id });
    if (found.length > 0) removed += await removeTogether(kv, found);
    for (const [n, { key }] of group.entries()) if (!tasks[n].value) await kv.delete(key);
    onProgress(removed);
  }
  const counts = rowKeys.rowCountsOf(projectId, templateId);
  for (const prefix of [...counts, rowKeys.runsByUser(projectId, templateId)]) {
    await deletePrefix(kv, prefix);
  }
  const op = kv.atomic();
  for (const key of counts) op.delete(key);
  await op
    .delete(rowKeys.buildVersion(projectId, templateId))
    .delete(rowKeys.taskCount(projectId, templateId))
    .commit();
}
