import * as z from "zod";
import type { Deps } from "../../access/deps.ts";
import { jobKind } from "../../jobs/kind.ts";
import { putJob } from "../../jobs/put.ts";
import type { Atomic } from "../../store/store.ts";
import type { TaskRow } from "../../model/task_row.ts";

/** A confirmation whose time limit ends. */
export interface ApprovalDue {
  project_id: number;
  task_id: number;
}

export const approvalJobs = jobKind<ApprovalDue>({
  name: "approvals",
  schema: z.object({ project_id: z.int(), task_id: z.int() }),
  uniqueBy: ({ task_id }) => task_id,
});

/** Adds the end of the time limit to `op`, if the task waits for a confirmation with a limit. */
export function queueApprovalLimit(
  op: Atomic,
  deps: Pick<Deps, "clock">,
  { project_id, id: task_id, status, approval }: TaskRow,
): void {
  if (status !== "waiting_confirmation" || !approval?.until) return;
  putJob(op, deps, approvalJobs, { project_id, task_id }, new Date(approval.until));
}
