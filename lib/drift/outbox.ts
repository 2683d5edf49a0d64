import { rowKeys } from "../store/keys.ts";
import type { Atomic } from "../store/store.ts";
import { causeOf } from "../tasks/cause.ts";
import type { TaskRow } from "../model/task_row.ts";
import type { DriftDueRow, FixDueRow } from "./rows.ts";

/**
 * Whether a task says something about drift: a check, or a run of all that the template describes
 * on some of its hosts.
 */
function concernsDrift(task: TaskRow): boolean {
  const cause = causeOf(task);
  if (cause.kind === "check") return true;
  if ("of" in cause && cause.of.start_at) return false;
  const { dry_run, given, arguments: own, has_secrets } = task;
  return !dry_run && own === null && !has_secrets && given !== undefined &&
    given.inventory_id === null && given.git_branch === null &&
    given.tags.length === 0 && given.skip_tags.length === 0;
}

/**
 * Adds a finished task to the queue in `op`. The states of its hosts are stored later, a few per
 * commit, even if the server dies in between.
 */
export function queueDrift(op: Atomic, task: TaskRow): void {
  if (!concernsDrift(task)) return;
  const { id, project_id, template_id } = task;
  const row: DriftDueRow = { project_id, template_id, after: 0 };
  op.set(rowKeys.driftDueOf(id), row).set(rowKeys.driftWake(), id);
}

/**
 * Adds a check whose states are stored, or an automatic fix whose preview has ended, to `op`. It is
 * handled later, on this server or another one.
 */
export function putFixDue(op: Atomic, at: Date, row: FixDueRow): void {
  const unique = crypto.randomUUID();
  op.set(rowKeys.driftFixDueAt(at.toISOString(), unique), row)
    .set(rowKeys.driftFixWake(), unique);
}
