import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic } from "../../store/store.ts";
import type { TaskRow } from "../../model/task_row.ts";

/** A successful task. The deploys or the workflows that follow it are still to be started. */
export interface AutorunRow {
  project_id: number;
  task_id: number;
  /** Templates or workflows up to this id are done. */
  after: number;
  /** Failed attempts for the next one. */
  attempts: number;
}

/**
 * Adds the automatic deploys that follow a task's end to `op`. They start later and do not delay
 * the task, even if the server dies in between.
 */
export function queueAutorun(
  op: Atomic,
  { clock }: Pick<Deps, "clock">,
  { id: task_id, project_id, status, template_type }: TaskRow,
): void {
  if (status !== "success" || template_type === "") return;
  putAutorun(op, clock.now(), { project_id, task_id, after: 0, attempts: 0 });
}

/** Adds a row that is due at a time to `op`. */
export function putAutorun(op: Atomic, at: Date, row: AutorunRow): void {
  const unique = crypto.randomUUID();
  op.set(rowKeys.autorunDue(at.toISOString(), unique), row).set(rowKeys.autorunsWake(), unique);
}
