import { type AdminScope, openProject, type ProjectScope } from "../../access/scope.ts";
import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { getSeenTask } from "../../access/seen/tasks.ts";
import { sightOf } from "../../access/sight.ts";
import { forbidden, notFound, type Sentence } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { mayStop, startersOf } from "./may_stop.ts";
import { orOvertaken, OVERTAKEN, retryOvertaken } from "../../store/transact.ts";
import { taskChanged, taskEvent } from "../../tasks/changes.ts";
import { endTask } from "./end_task.ts";
import { because, endAbandoned } from "./interrupt.ts";
import { runnerOwner } from "../../tasks/waiting/runner_owner.ts";
import { actorName, cancelAttempt, cancelTemplateAttempts } from "./attempts_end.ts";
import { getTaskRow } from "../../model/tasks.ts";
import { advance } from "../../tasks/steps.ts";
import { findOpenTask, listProjectOpenTasks } from "../../tasks/open_tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isActive, isFinished } from "../../model/status.ts";
import { templateRows } from "../../templates/repository.ts";

/** Returns the reason of a stop. */
export const stoppedBy = (actor: Actor): Sentence => ({
  key: "errors.run.stopped",
  params: actorName(actor),
});

/**
 * Stops a task. People who run tasks may stop their own, and others need a permission for it.
 * Throws as `requireTaskStopper` does. A waiting task leaves the queue immediately. A running task
 * receives TERM or, with `force`, is killed. A finished task stays as it is, and is not repeated
 * automatically anymore.
 */
export async function stopTask(
  scope: ProjectScope,
  id: number,
  force: boolean,
  reason: Sentence = stoppedBy(scope.actor),
): Promise<void> {
  const task = await requireTaskStopper(scope, id);
  await requestStop(scope.deps, scope.actor, task, force, reason);
}

/** Returns a task. Throws 404, and 403 for people who may not stop it. */
export async function requireTaskStopper(scope: ProjectScope, id: number): Promise<TaskRow> {
  const task = await getSeenTask(scope, id);
  if (!mayStop(scope, startersOf(task))) throw forbidden();
  return task;
}

/** Stops a task of any project, for admins. A finished task stays as it is. */
export async function stopQueuedTask(scope: AdminScope, id: number): Promise<void> {
  const open = await findOpenTask(scope.deps.kv, id);
  if (open) await stopTask(await openProject(scope, open.project_id), id, false);
}

async function requestStop(
  deps: Deps,
  actor: Actor,
  task: TaskRow,
  force: boolean,
  reason: Sentence = stoppedBy(actor),
) {
  let current = task;
  await retryOvertaken(async () => {
    if (isFinished(current.status)) return await cancelAttempt(deps, actor, current);
    const stopped = await orOvertaken(stopStep(deps, actor, current, force, reason));
    // It has moved on, for example from the queue to running, so it is read again.
    if (stopped === OVERTAKEN) current = await getTaskRow(deps.kv, task.project_id, task.id);
    return stopped;
  });
}

async function stopStep(
  deps: Deps,
  actor: Actor,
  task: TaskRow,
  force: boolean,
  reason: Sentence,
) {
  const stop = force ? "force" : "stop";
  if (!isActive(task.status)) {
    return await endTask(deps, task, { how: "stopped", by: actor, stop, reason });
  }
  const action = force ? "force_stopped" : "stop_requested";
  const stopping = await advance(deps.kv, task, "stopping", { stop, end_reason: reason }, {
    also: (op, next) => recordEvent(op, deps, actor, taskEvent(next, action)),
  });
  taskChanged(deps, stopping);
  deps.wakeDispatcher();
  return stopping;
}

/**
 * Kills all tasks of a project that is being deleted, without waiting for their ends. Those on
 * runners end here, because a runner may be silent. Its next call gets the stop "gone".
 */
export async function stopProjectTasks(deps: Deps, projectId: number): Promise<void> {
  for (const open of await listProjectOpenTasks(deps.kv, projectId)) {
    const task = await getTaskRow(deps.kv, projectId, open.id);
    await requestStop(deps, { kind: "server", id: open.id, projectId }, task, true);
    if (!runnerOwner(open)) continue;
    await endAbandoned(deps, open, because("runner_unreachable", task));
  }
}

/**
 * Stops all unfinished tasks of a template that the actor sees. Its failed tasks are not repeated
 * anymore.
 */
export async function stopTemplateTasks(
  scope: ProjectScope<"stop_all_tasks">,
  templateId: number,
  force: boolean,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const sight = await sightOf(scope);
  if (!sight.maySee("templates", templateId)) throw notFound();
  await templateRows.get(deps.kv, projectId, templateId);
  await cancelTemplateAttempts(scope, sight, templateId);
  for (const open of await listProjectOpenTasks(deps.kv, projectId)) {
    if (open.template_id !== templateId) continue;
    const task = await getTaskRow(deps.kv, projectId, open.id);
    if (sight.maySeeTask(task)) await requestStop(deps, actor, task, force);
  }
}
