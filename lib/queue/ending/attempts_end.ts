import { type Actor, namesOf } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import type { ProjectScope } from "../../access/scope.ts";
import type { Sight } from "../../access/sight.ts";
import { conflict, type Sentence, type SentenceParams } from "../../base/errors.ts";
import { personParam } from "../../base/person.ts";
import { recordEvent } from "../../events/record.ts";
import type { JobRow } from "../../jobs/rows.ts";
import { orOvertaken, OVERTAKEN, transact } from "../../store/transact.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic } from "../../store/store.ts";
import { deleteApproved } from "../../tasks/approved_inputs.ts";
import { deleteSecretAnswers } from "../../tasks/answer_store.ts";
import { firstAttempt, TASK_ATTEMPTS_MAX } from "../../tasks/attempts.ts";
import { taskChanged, taskEvent } from "../../tasks/changes.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { addAmendment } from "../../tasks/steps.ts";
import { countRun } from "../../tasks/trends/counters.ts";
import { type AttemptDue, attemptJobs } from "../outboxes/attempt_outbox.ts";
import { queueWorkflow } from "../outboxes/workflow_outbox.ts";

/**
 * Adds to `op` that no further attempt follows a failed task, whose end is now that of all.
 * Throws 409 if none is due.
 */
export async function addAttemptsEnd(
  deps: Deps,
  op: Atomic,
  task: Pick<TaskRow, "id" | "project_id">,
  ended: Sentence,
): Promise<TaskRow> {
  const last = await addAmendment(deps.kv, op, task, ({ id, attempt }) => {
    const { next_at: _, ...rest } = requireDue(id, attempt);
    return { attempt: { ...rest, ended } };
  });
  deleteSecretAnswers(op, last.id);
  deleteApproved(op, last.id);
  countRun(op, last);
  queueWorkflow(op, deps, last);
  return last;
}

/** Returns the attempt. Throws 409 unless another one is due after it. */
export function requireDue(id: number, attempt: TaskRow["attempt"]) {
  if (attempt?.next_at === undefined) throw conflict("errors.retry.none_due", { id });
  return attempt;
}

/** Cancels the next attempt of a failed task, if one is due. */
export async function cancelAttempt(deps: Deps, actor: Actor, task: TaskRow): Promise<void> {
  if (task.attempt?.next_at === undefined) return;
  const ended = { key: "retry.ended.cancelled", params: actorName(actor) };
  const cancelled = transact(deps.kv, async (op) => {
    const last = await addAttemptsEnd(deps, op, task, ended);
    recordEvent(op, deps, actor, taskEvent(last, "retry_cancelled"));
    return last;
  });
  const last = await orOvertaken(cancelled);
  if (last !== OVERTAKEN) taskChanged(deps, last);
}

/** Returns who acts as the parameter `name` of a sentence: a person, a trigger or the server. */
export const actorName = (actor: Actor): SentenceParams => ({
  name: actor.kind === "user"
    ? personParam(namesOf(actor))
    : actor.name ?? actor.person?.username ?? "Callboard",
});

/** The attempts of a task, the first one first, and the reason why no further one follows. */
export interface AttemptChain {
  attempts: Pick<TaskRow, "id" | "status">[];
  ended: Sentence | null;
}

/** Returns the attempts of a task; null for a task that is never repeated automatically. */
export async function readAttempts(
  { deps: { kv }, projectId }: ProjectScope,
  task: TaskRow,
): Promise<AttemptChain | null> {
  if (!task.attempt) return null;
  // The first attempt may have been deleted.
  let next: TaskRow | null = await findTask(kv, projectId, firstAttempt(task)) ?? task;
  const attempts: TaskRow[] = [];
  while (next && attempts.length < TASK_ATTEMPTS_MAX) {
    attempts.push(next);
    const id: number | undefined = next.attempt?.next_id;
    next = id === undefined ? null : await findTask(kv, projectId, id);
  }
  return {
    attempts: attempts.map(({ id, status }) => ({ id, status })),
    ended: task.attempt.ended ?? null,
  };
}

/** Cancels the attempts that are due for those tasks of a template that the actor sees. */
export async function cancelTemplateAttempts(
  { deps, actor, projectId }: ProjectScope,
  sight: Sight,
  templateId: number,
): Promise<void> {
  const prefix = rowKeys.jobsOfKind(attemptJobs.name);
  const due = deps.kv.list<JobRow<AttemptDue>>({ prefix }, { batchSize: 500 });
  for await (const { value: { input } } of due) {
    if (input.project_id !== projectId || input.template_id !== templateId) continue;
    const task = await findTask(deps.kv, projectId, input.task_id);
    if (task && sight.maySeeTask(task)) await cancelAttempt(deps, actor, task);
  }
}
