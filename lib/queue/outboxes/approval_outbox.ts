import { rowKeys } from "../../store/keys.ts";
import type { Atomic } from "../../store/store.ts";
import type { TaskRow } from "../../model/task_row.ts";

/** The end of a confirmation's time limit. */
export interface ApprovalLimitRow {
  project_id: number;
  task_id: number;
  /** Length of the limit. */
  minutes: number;
}

/** Adds the end of the time limit to `op`, if the task waits for a confirmation with a limit. */
export function queueApprovalLimit(
  op: Atomic,
  { project_id, id: task_id, status, approval }: TaskRow,
): void {
  if (status !== "waiting_confirmation" || !approval?.until) return;
  const minutes = approval.timeout_minutes!;
  putApprovalLimit(op, new Date(approval.until), { project_id, task_id, minutes });
}

/** Adds a row that is due at a time to `op`. */
export function putApprovalLimit(op: Atomic, at: Date, row: ApprovalLimitRow): void {
  const unique = crypto.randomUUID();
  op.set(rowKeys.taskApprovalDue(at.toISOString(), unique), row)
    .set(rowKeys.taskApprovalsWake(), unique);
}
