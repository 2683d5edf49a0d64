import type { Deps } from "../../access/deps.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic } from "../../store/store.ts";
import type { TaskRow } from "../../model/task_row.ts";

/** A task whose next attempt is due at a time. */
export interface AttemptRow {
  project_id: number;
  template_id: number;
  task_id: number;
  minutes: number;
  /** Starts of the attempt that have failed. */
  failures: number;
}

/** Adds the time of the next attempt to `op`, if the end of a task has planned one. */
export function queueAttempt(
  op: Atomic,
  { id: task_id, project_id, template_id, attempt }: TaskRow,
): void {
  if (!attempt?.next_at) return;
  const { minutes, next_at } = attempt;
  putAttempt(op, new Date(next_at), { project_id, template_id, task_id, minutes, failures: 0 });
}

/** Adds a row that is due at a time to `op`. */
export function putAttempt(op: Atomic, at: Date, row: AttemptRow): void {
  const unique = crypto.randomUUID();
  op.set(rowKeys.taskAttemptDue(at.toISOString(), unique), row)
    .set(rowKeys.taskAttemptsWake(), unique);
}

/** Returns the time of the next attempt after an end at this moment. */
export const nextAttemptAt = ({ clock }: Pick<Deps, "clock">, minutes: number): string =>
  new Date(clock.now().getTime() + minutes * 60_000).toISOString();
