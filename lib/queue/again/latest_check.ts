import { conflict } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isFinished } from "../../model/status.ts";

export const CHECK_OPEN = "errors.drift.check_open";

/**
 * Adds to the commit of a new check that it is the latest one of its template. Throws 409 while
 * another one is open. That holds with several servers too, because each start takes the next id of
 * all tasks.
 */
export async function claimLatestCheck(
  kv: Store,
  op: Atomic,
  { project_id: projectId, template_id, id }: TaskRow,
): Promise<void> {
  const key = rowKeys.latestStart(projectId, "check", template_id);
  const latest = await kv.get<number>(key);
  const task = latest.value === null ? null : await findTask(kv, projectId, latest.value);
  if (task && !isFinished(task.status)) throw conflict(CHECK_OPEN, { id: task.id });
  op.set(key, id);
}
