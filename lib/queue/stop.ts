import { type AdminScope, openProject, type ProjectScope } from "../access/scope.ts";
import type { Actor } from "../access/actor.ts";
import type { Deps } from "../access/deps.ts";
import { AppError, conflict, type Sentence } from "../base/errors.ts";
import { recordEvent } from "../events/record.ts";
import { taskChanged, taskEvent } from "../tasks/changes.ts";
import { closeIdleLog } from "../output/store.ts";
import { requireAsPreviewed } from "./pins.ts";
import { getTaskRow } from "../tasks/repository.ts";
import { advance } from "../tasks/steps.ts";
import { findOpenTask, listProjectOpenTasks } from "../tasks/open_tasks.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { isActive, isFinished } from "../tasks/status.ts";
import { templateRows } from "../templates/repository.ts";

/** Confirms a task. Throws 409 if it does not wait for a confirmation. */
export async function confirmTask(
  { deps, actor, projectId }: ProjectScope<"run_tasks">,
  id: number,
) {
  const task = await getTaskRow(deps.kv, projectId, id);
  if (task.status !== "waiting_confirmation") throw conflict("errors.not_waiting_confirmation");
  if (task.preview) await requireAsPreviewed(deps, task);
  const preview = task.preview && { ...task.preview, confirmed_by: nameOf(actor) };
  const confirmed = await advance(deps.kv, task, "confirmed", preview ? { preview } : {}, {
    from: task.status,
    also: (op, next) => recordEvent(op, deps, actor, taskEvent(next, "confirmed")),
  });
  taskChanged(deps, confirmed);
  deps.wakeDispatcher();
}

/** Rejects a task, which ends it. Throws 409 if it does not wait for a confirmation. */
export async function rejectTask(
  { deps, actor, projectId }: ProjectScope<"run_tasks">,
  id: number,
): Promise<void> {
  const task = await getTaskRow(deps.kv, projectId, id);
  if (task.status !== "waiting_confirmation") throw conflict("errors.not_waiting_confirmation");
  const name = nameOf(actor);
  const count = task.preview?.carried_out ?? 0;
  const end_reason: Sentence = count > 0
    ? { key: "errors.run.rejected_after_some", params: { name, count } }
    : { key: "errors.run.rejected", params: { name } };
  taskChanged(deps, await endWaiting(deps, actor, task, "rejected", { stop: "stop", end_reason }));
  deps.wakeDispatcher();
}

const nameOf = (actor: Actor): string => actor.kind === "user" ? actor.name : "";

/**
 * Stops a task. A waiting task leaves the queue immediately. A running task receives TERM or, with
 * `force`, is killed. A finished task stays as it is.
 */
export async function stopTask(
  { deps, actor, projectId }: ProjectScope<"run_tasks">,
  id: number,
  force: boolean,
): Promise<void> {
  await requestStop(deps, actor, await getTaskRow(deps.kv, projectId, id), force);
}

/** Stops a task of any project, for admins. A finished task stays as it is. */
export async function stopQueuedTask(scope: AdminScope, id: number): Promise<void> {
  const open = await findOpenTask(scope.deps.kv, id);
  if (open) await stopTask(await openProject(scope, open.project_id, "run_tasks"), id, false);
}

async function requestStop(deps: Deps, actor: Actor, task: TaskRow, force: boolean) {
  for (let current = task; !isFinished(current.status);) {
    try {
      const stopped = await stopStep(deps, actor, current, force);
      taskChanged(deps, stopped);
      return deps.wakeDispatcher();
    } catch (error) {
      // The task has moved on meanwhile, for example from the queue to running, so it is read
      // again.
      if (!(error instanceof AppError && error.status === 409)) throw error;
      current = await getTaskRow(deps.kv, task.project_id, task.id);
    }
  }
}

function stopStep(deps: Deps, actor: Actor, task: TaskRow, force: boolean): Promise<TaskRow> {
  const stop = force ? "force" : "stop";
  const tell = (op: Deno.AtomicOperation, next: TaskRow, action: string) =>
    recordEvent(op, deps, actor, taskEvent(next, action));
  if (isActive(task.status)) {
    const action = force ? "force_stopped" : "stop_requested";
    return advance(deps.kv, task, "stopping", { stop }, {
      also: (op, next) => tell(op, next, action),
    });
  }
  return endWaiting(deps, actor, task, "finished_stopped", { stop });
}

/** Stops a task that no server runs. Throws 409 if it has moved on since it was read. */
async function endWaiting(
  deps: Deps,
  actor: Actor,
  task: TaskRow,
  action: string,
  change: Partial<Pick<TaskRow, "stop" | "end_reason">>,
): Promise<TaskRow> {
  const closeLog = await closeIdleLog(deps.kv, task.id);
  const end = deps.clock.now().toISOString();
  return await advance(deps.kv, task, "stopped", { ...change, end }, {
    from: task.status,
    also: (op, next) => {
      recordEvent(op, deps, actor, taskEvent(next, action));
      closeLog(op);
    },
  });
}

/** Kills all tasks of a project that is being deleted, without waiting for their ends. */
export async function stopProjectTasks(deps: Deps, projectId: number): Promise<void> {
  for (const { id } of await listProjectOpenTasks(deps.kv, projectId)) {
    const task = await getTaskRow(deps.kv, projectId, id);
    await requestStop(deps, { kind: "server", id, projectId }, task, true);
  }
}

/** Stops all unfinished tasks of a template. */
export async function stopTemplateTasks(
  { deps, actor, projectId }: ProjectScope<"run_tasks">,
  templateId: number,
  force: boolean,
): Promise<void> {
  await templateRows.get(deps.kv, projectId, templateId);
  for (const open of await listProjectOpenTasks(deps.kv, projectId)) {
    if (open.template_id !== templateId) continue;
    await requestStop(deps, actor, await getTaskRow(deps.kv, projectId, open.id), force);
  }
}
