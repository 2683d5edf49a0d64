import type { Deps } from "../../access/deps.ts";
import { AppError, type Sentence, sentenceOf } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { type HeldJob, worker } from "../../jobs/worker.ts";
import { orOvertaken, retryOvertaken, transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { systemActor, taskChanged, taskEvent } from "../../tasks/changes.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { hasFailedPreview } from "../../tasks/preview_state.ts";
import { addStep } from "../../tasks/steps.ts";
import { type ApprovalDue, approvalJobs } from "../outboxes/approval_outbox.ts";
import { endTask } from "../ending/end_task.ts";
import { requireAsPreviewed } from "../inputs/pins.ts";
import { LATER, publicReason } from "../outboxes/temporary.ts";

/**
 * Ends confirmations whose time is up. The job ends in the same commit, so that this happens once
 * even if a server dies.
 */
export const approvalWorker = worker<ApprovalDue, Deps>({
  ...LATER,
  kind: approvalJobs,
  // Someone else may vote at this moment. Then the task is read again.
  run: (deps, job) => retryOvertaken(() => orOvertaken(endWaiting(deps, job))),
  async gaveUp(deps, job, reason) {
    const task = await findWaiting(deps.kv, job.input);
    if (task) await reject(deps, job, task, publicReason(reason));
    return true;
  },
});

async function findWaiting(
  kv: Store,
  { project_id, task_id }: ApprovalDue,
): Promise<TaskRow | null> {
  const task = await findTask(kv, project_id, task_id);
  return task?.status === "waiting_confirmation" ? task : null;
}

/** Confirms or rejects a task whose time is up. */
async function endWaiting(deps: Deps, job: HeldJob<ApprovalDue>): Promise<void> {
  const task = await findWaiting(deps.kv, job.input);
  if (!task) return;
  const problem = task.approval?.on_timeout === "approved" && !hasFailedPreview(task)
    ? await problemOf(deps, task)
    : { key: "errors.run.approval_expired" };
  if (problem) await reject(deps, job, task, problem);
  else await confirm(deps, job, task);
}

/** Returns the reason why a task cannot be confirmed; null if it can. */
async function problemOf(deps: Deps, task: TaskRow): Promise<Sentence | null> {
  try {
    if (task.preview) await requireAsPreviewed(deps, task);
    return null;
  } catch (error) {
    if (error instanceof AppError) return sentenceOf(error);
    throw error;
  }
}

async function confirm(deps: Deps, job: HeldJob<ApprovalDue>, task: TaskRow) {
  const next = await transact(deps.kv, async (op) => {
    await job.end(op);
    return await addStep(deps.kv, op, task, (current) => ({
      to: "confirmed",
      from: task.status,
      change: {
        approval: current.approval,
        ...current.preview && { preview: { ...current.preview, confirmed_by: "Callboard" } },
      },
      also: (op, next) =>
        recordEvent(op, deps, systemActor(next), taskEvent(next, "confirmed_by_limit")),
    }));
  });
  taskChanged(deps, next);
  deps.wakeDispatcher();
}

const reject = (
  deps: Deps,
  job: HeldJob<ApprovalDue>,
  task: TaskRow,
  reason: Sentence,
) =>
  endTask(deps, task, {
    how: "rejected",
    by: systemActor(task),
    stop: "stop",
    reason,
    event: { action: "rejected_by_limit" },
    also: (op) => job.end(op),
  });
