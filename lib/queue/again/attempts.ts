import { openProject } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { queueTaskAlert } from "../../alerts/outbox.ts";
import type { Sentence } from "../../base/errors.ts";
import { reveal } from "../../base/secret.ts";
import { recordEvent } from "../../events/record.ts";
import { type HeldJob, worker } from "../../jobs/worker.ts";
import { rowKeys } from "../../store/keys.ts";
import { orOvertaken, OVERTAKEN, transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { deleteSecretAnswers } from "../../tasks/answer_store.ts";
import { firstAttempt } from "../../tasks/attempts.ts";
import { systemActor, taskChanged, taskEvent, tasksGone } from "../../tasks/changes.ts";
import { comparedOf } from "../../tasks/history/filter.ts";
import { listTemplateTasks } from "../../tasks/repository.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { addAmendment } from "../../tasks/steps.ts";
import { templateRows } from "../../templates/repository.ts";
import { type AttemptDue, attemptJobs } from "../outboxes/attempt_outbox.ts";
import { secretAnswersOf } from "../plan/plan_variables.ts";
import { passOnApproved } from "../inputs/approved.ts";
import { retryTask } from "./retry.ts";
import { addAttemptsEnd, requireDue } from "../ending/attempts_end.ts";
import { isTemporary, LATER, publicReason, workSentence } from "../outboxes/temporary.ts";
import { queueWorkflow } from "../outboxes/workflow_outbox.ts";

/**
 * Starts further attempts when they are due. The commit of the new task also ends the job, so that
 * this happens once, whichever server dies.
 */
export const attemptWorker = worker<AttemptDue, Deps>({
  ...LATER,
  kind: attemptJobs,
  run: startNext,
  async gaveUp(deps, job, reason) {
    const task = await findDue(deps.kv, job.input);
    if (task) await endAttempts(deps, job, task, publicReason(reason));
    return true;
  },
});

/** Returns the task. Null if its next attempt was cancelled, or started by another server. */
async function findDue(kv: Store, { project_id, task_id }: AttemptDue): Promise<TaskRow | null> {
  const task = await findTask(kv, project_id, task_id);
  return task?.attempt?.next_at ? task : null;
}

async function startNext(deps: Deps, job: HeldJob<AttemptDue>): Promise<void> {
  const task = await findDue(deps.kv, job.input);
  if (!task) return;
  try {
    const obstacle = await obstacleTo(deps.kv, task);
    if (obstacle) await endAttempts(deps, job, task, obstacle);
    else await repeat(deps, job, task);
  } catch (error) {
    if (isTemporary(error)) throw error;
    await endAttempts(deps, job, task, workSentence(error));
  }
}

/** The server has no key and no password of a person. */
const NOBODY = { own_key_id: null, ssh_password: "", become_password: "", vault_password: "" };

/** Starts the task again on the hosts that failed, as a person would, for the same starter. */
async function repeat(deps: Deps, job: HeldJob<AttemptDue>, task: TaskRow): Promise<void> {
  const { kv } = deps;
  const attempt = requireDue(task.id, task.attempt);
  const secrets = Object.entries(await secretAnswersOf(deps, task))
    .map(([name, answer]) => [name, reveal(answer, "parse")]);
  const { next_at: _, ...story } = attempt;
  const actor = systemActor(task);
  await retryTask(await openProject({ deps, actor }, task.project_id, "run_tasks"), task.id, {
    hosts: "not_ok",
    commit: "same",
    start_at_failed: false,
    message: task.message,
    secret: Object.fromEntries(secrets),
    ...NOBODY,
  }, {
    automatic: {
      attempt: { ...story, n: attempt.n + 1, first_id: firstAttempt(task) },
      async also(op, next) {
        await addAmendment(kv, op, task, (current) => {
          const { next_at: _, ...rest } = requireDue(task.id, current.attempt);
          return { attempt: { ...rest, next_id: next.id } };
        });
        op.set(rowKeys.repeatedTask(task.project_id, task.id), comparedOf(task));
        deleteSecretAnswers(op, task.id);
        await passOnApproved(kv, op, task, next.id);
        queueWorkflow(op, deps, next);
        await job.end(op);
      },
    },
  });
  // Lists show the new attempt instead of this one.
  await tasksGone(deps, task.project_id);
}

/** Number of newer tasks of the template that are compared. */
const NEWER_MAX = 50;

/** Returns the reason why no further attempt may start; null if one may. */
async function obstacleTo(kv: Store, task: TaskRow): Promise<Sentence | null> {
  const { project_id: projectId, template_id: templateId, attempt } = task;
  const template = await templateRows.find(kv, projectId, templateId);
  if ((template?.row.retry_attempts ?? 0) < attempt!.n) return { key: "retry.ended.off" };
  const latest = await listTemplateTasks(kv, projectId, templateId, { limit: NEWER_MAX });
  const newer = latest.find((other) => other.id > task.id && supersedes(other, task));
  return newer ? { key: "retry.ended.superseded", params: { id: newer.id } } : null;
}

/**
 * Whether a newer task has run, or will run, on the hosts of a task. An attempt after it would
 * bring them back to an older commit.
 */
const supersedes = (newer: TaskRow, task: TaskRow): boolean =>
  !newer.dry_run && !newer.retry_of && (newer.status !== "stopped" || newer.start !== null) &&
  newer.inventory_id === task.inventory_id &&
  String(newer.limit.toSorted()) === String(task.limit.toSorted());

/** Ends attempts whose next one cannot start, and reports the failure of the last one. */
async function endAttempts(
  deps: Deps,
  job: HeldJob<AttemptDue>,
  task: TaskRow,
  reason: Sentence,
): Promise<void> {
  const ended = transact(deps.kv, async (op) => {
    const last = await addAttemptsEnd(deps, op, task, reason);
    await job.end(op);
    await queueTaskAlert(op, deps, last);
    recordEvent(op, deps, systemActor(last), {
      ...taskEvent(last, "retry_ended"),
      params: { reason },
    });
    return last;
  });
  const last = await orOvertaken(ended);
  if (last !== OVERTAKEN) taskChanged(deps, last);
}
