import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { AppError, type Sentence, sentenceOf, stale } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { type DueList, startDueLoop } from "../../store/due.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Loop } from "../../store/loop.ts";
import { orOvertaken, transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { systemActor, taskChanged, taskEvent } from "../../tasks/changes.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { hasFailedPreview } from "../../tasks/preview_state.ts";
import { addStep } from "../../tasks/steps.ts";
import { type ApprovalLimitRow, putApprovalLimit } from "../outboxes/approval_outbox.ts";
import { approvalOf } from "./confirm.ts";
import { endTask } from "../ending/end_task.ts";
import { requireAsPreviewed } from "../inputs/pins.ts";
import { DELETING_MS } from "../outboxes/temporary.ts";
import { findProjectEntry } from "../../model/projects.ts";

/** Number of confirmations that end in parallel. */
const LIMITS_PARALLEL_MAX = 4;

/** Ends confirmations whose time is up, on this server or another one that shares the store. */
export const startApprovalLimits = (deps: Deps): Loop =>
  startDueLoop(
    deps,
    "approvals",
    rowKeys.taskApprovalsWake(),
    dueApprovals(deps),
    maintenanceHold(deps),
  );

/** Returns the confirmations with a time limit. */
export const dueApprovals = (deps: Deps): DueList<ApprovalLimitRow> => ({
  prefix: rowKeys.taskApprovalsDue(),
  parallelMax: LIMITS_PARALLEL_MAX,
  handle: (entry) => endWaiting(deps, entry),
  put: putApprovalLimit,
  longestWait: ({ minutes }) => minutes * 60_000,
});

/**
 * Confirms or rejects a task whose time is up. The row is deleted in the same commit, so that this
 * happens once even if a server dies.
 */
async function endWaiting(deps: Deps, entry: Deno.KvEntry<ApprovalLimitRow>): Promise<void> {
  const { kv, clock } = deps;
  const { project_id: projectId, task_id: id } = entry.value;
  const [project, task] = await Promise.all([
    findProjectEntry(kv, projectId),
    findTask(kv, projectId, id),
  ]);
  const op = kv.atomic().check(entry).delete(entry.key);
  if (project.value?.deleting) {
    putApprovalLimit(op, new Date(clock.now().getTime() + DELETING_MS), entry.value);
    return void await op.commit();
  }
  if (task?.status !== "waiting_confirmation") return void await op.commit();
  const problem = task.approval?.on_timeout === "approved" && !hasFailedPreview(task)
    ? await problemOf(deps, task)
    : { key: "errors.run.approval_expired" };
  // Someone else may vote at this moment. Then the row is still due, and the task is read again.
  await orOvertaken<unknown>(
    problem ? reject(deps, entry, task, problem) : confirm(deps, entry, task),
  );
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

async function confirm(deps: Deps, entry: Deno.KvEntry<ApprovalLimitRow>, task: TaskRow) {
  const next = await transact(deps.kv, async (op) => {
    await addDone(deps.kv, op, entry);
    return await addStep(deps.kv, op, task, (current) => ({
      to: "confirmed",
      from: task.status,
      change: {
        approval: approvalOf(current),
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
  entry: Deno.KvEntry<ApprovalLimitRow>,
  task: TaskRow,
  reason: Sentence,
) =>
  endTask(deps, task, {
    how: "rejected",
    by: systemActor(task),
    stop: "stop",
    reason,
    event: { action: "rejected_by_limit" },
    also: (op) => addDone(deps.kv, op, entry),
  });

/** Adds to `op` that the row is done. Throws if another server was faster. */
async function addDone(
  kv: Store,
  op: Atomic,
  { key, versionstamp }: Deno.KvEntry<ApprovalLimitRow>,
): Promise<void> {
  const now = await kv.get(key);
  if (now.versionstamp !== versionstamp) throw stale();
  op.check(now).delete(key);
}
