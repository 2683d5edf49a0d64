import { openProject } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { queueTaskAlert } from "../../alerts/outbox.ts";
import { AppError, type Sentence } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { reveal } from "../../base/secret.ts";
import { recordEvent } from "../../events/record.ts";
import { type DueList, startDueLoop } from "../../store/due.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Loop } from "../../store/loop.ts";
import { orOvertaken, OVERTAKEN, transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { deleteSecretAnswers } from "../../tasks/answer_store.ts";
import { firstAttempt } from "../../tasks/attempts.ts";
import { systemActor, taskChanged, taskEvent, tasksGone } from "../../tasks/changes.ts";
import { comparedOf } from "../../tasks/filter.ts";
import { listTemplateTasks } from "../../tasks/repository.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { addAmendment } from "../../tasks/steps.ts";
import { templateRows } from "../../templates/repository.ts";
import { type AttemptRow, putAttempt } from "../outboxes/attempt_outbox.ts";
import { secretAnswersOf } from "../plan/plan_variables.ts";
import { passOnApproved } from "../inputs/approved.ts";
import { retryTask } from "./retry.ts";
import { addStoryEnd, requireDue } from "../ending/story.ts";
import { DELETING_MS, isTemporary, WAITS_MS, workSentence } from "../outboxes/temporary.ts";
import { queueWorkflow } from "../outboxes/workflow_outbox.ts";
import { findProjectEntry } from "../../model/projects.ts";

/** Number of attempts that are started in parallel. */
const STARTS_PARALLEL_MAX = 4;

/** Starts further attempts when they are due, on this server or another one of the store. */
export const startAttempts = (deps: Deps): Loop =>
  startDueLoop(
    deps,
    "attempts",
    rowKeys.taskAttemptsWake(),
    dueAttempts(deps),
    maintenanceHold(deps),
  );

/** Returns the failed tasks whose next attempt has a time. */
export const dueAttempts = (deps: Deps): DueList<AttemptRow> => ({
  prefix: rowKeys.taskAttemptsDue(),
  parallelMax: STARTS_PARALLEL_MAX,
  handle: (entry) => startNext(deps, entry),
  put: putAttempt,
  longestWait: ({ minutes }) => Math.max(minutes * 60_000, ...WAITS_MS),
});

/**
 * Starts the next attempt of a task. The commit of the new task also stores that it was started, so
 * that this happens once, whichever server dies.
 */
async function startNext(deps: Deps, entry: Deno.KvEntry<AttemptRow>): Promise<void> {
  const { kv } = deps;
  const { project_id: projectId, task_id: id } = entry.value;
  const [project, task] = await Promise.all([
    findProjectEntry(kv, projectId),
    findTask(kv, projectId, id),
  ]);
  if (project.value?.deleting) return await postpone(deps, entry, DELETING_MS);
  // Without a time it was cancelled, or started by another server.
  if (!task?.attempt?.next_at) {
    return void await kv.atomic().check(entry).delete(entry.key).commit();
  }
  try {
    const obstacle = await obstacleTo(kv, task);
    if (obstacle) return await endStory(deps, entry, task, obstacle);
    await repeat(deps, entry, task);
  } catch (error) {
    await failed(deps, entry, task, error);
  }
}

/** The server has no key and no password of a person. */
const NOBODY = { own_key_id: null, ssh_password: "", become_password: "", vault_password: "" };

/** Starts the task again on the hosts that failed, as a person would, for the same starter. */
async function repeat(deps: Deps, { key }: Deno.KvEntry<AttemptRow>, task: TaskRow): Promise<void> {
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
        op.delete(key);
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

/** Ends a story whose next attempt cannot start, and reports the failure of the last one. */
async function endStory(
  deps: Deps,
  entry: Deno.KvEntry<AttemptRow>,
  task: TaskRow,
  reason: Sentence,
): Promise<void> {
  const ended = transact(deps.kv, async (op) => {
    const last = await addStoryEnd(deps, op, task, reason);
    op.delete(entry.key);
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

/** Tries again later, or ends the story if that cannot help. */
async function failed(
  deps: Deps,
  entry: Deno.KvEntry<AttemptRow>,
  task: TaskRow,
  error: unknown,
): Promise<void> {
  if (!(error instanceof AppError)) {
    deps.log("error", "attempt_failed", { task: task.id, ...describeError(error) });
  }
  const { failures } = entry.value;
  const waitMs = isTemporary(error) ? WAITS_MS[failures] : undefined;
  if (waitMs !== undefined) return await postpone(deps, entry, waitMs, failures + 1);
  await endStory(deps, entry, task, workSentence(error));
}

async function postpone(
  { kv, clock }: Deps,
  entry: Deno.KvEntry<AttemptRow>,
  waitMs: number,
  failures = entry.value.failures,
): Promise<void> {
  const op = kv.atomic().check(entry).delete(entry.key);
  putAttempt(op, new Date(clock.now().getTime() + waitMs), { ...entry.value, failures });
  await op.commit();
}
