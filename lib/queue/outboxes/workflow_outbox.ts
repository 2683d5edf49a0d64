import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic } from "../../store/store.ts";
import type { TaskRow } from "../../model/task_row.ts";
import type { AutorunRow } from "./autorun_outbox.ts";

/** A run of a workflow that may go on. */
export interface WorkflowDue {
  project_id: number;
  run_id: number;
  /** Milliseconds for which it was postponed. */
  wait_ms: number;
  /** Attempts that failed for an unknown reason. */
  attempts: number;
}

type NewDue = Pick<WorkflowDue, "project_id" | "run_id"> & Partial<WorkflowDue>;

/** Adds to `op` that the run of an ended task may go on, if a workflow has started the task. */
export function queueWorkflow(
  op: Atomic,
  { clock }: Pick<Deps, "clock">,
  { project_id, workflow }: TaskRow,
): void {
  if (!workflow) return;
  putWorkflowDue(op, clock.now(), { project_id, run_id: workflow.run_id });
}

/** Adds a row that is due at a time to `op`. */
export function putWorkflowDue(
  op: Atomic,
  at: Date,
  { project_id, run_id, wait_ms = 0, attempts = 0 }: NewDue,
): void {
  const unique = crypto.randomUUID();
  const row: WorkflowDue = { project_id, run_id, wait_ms, attempts };
  op.set(rowKeys.workflowRunDue(at.toISOString(), unique), row)
    .set(rowKeys.workflowRunsWake(), unique);
}

/** Adds to `op` that the workflows which follow a successful build are still to be started. */
export function queueWorkflowStarts(
  op: Atomic,
  { clock }: Pick<Deps, "clock">,
  { id: task_id, project_id, status, template_type }: TaskRow,
): void {
  if (status !== "success" || template_type !== "build") return;
  putWorkflowStart(op, clock.now(), { project_id, task_id, after: 0, attempts: 0 });
}

/** Adds a row that is due at a time to `op`. */
export function putWorkflowStart(op: Atomic, at: Date, row: AutorunRow): void {
  const unique = crypto.randomUUID();
  op.set(rowKeys.workflowStartDue(at.toISOString(), unique), row)
    .set(rowKeys.workflowStartsWake(), unique);
}
