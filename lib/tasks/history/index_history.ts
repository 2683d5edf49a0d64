import { rowKeys } from "../../store/keys.ts";
import { type Course, rewriteRows, unwatched } from "../../store/rows/rewrite_rows.ts";
import type { Store } from "../../store/store.ts";
import { indexKeys } from "./index_keys.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { findTask } from "../../model/tasks.ts";

/** A task has at most 20 index rows, and a commit takes 1,000 mutations. */
const TASKS_PER_COMMIT = 50;

/**
 * Adds missing `task_history` rows for tasks of earlier versions. Rows that exist are written
 * again, which changes nothing. Earlier versions could also keep the wrong one of two parallel
 * starts as a template's latest task, which is corrected here.
 */
export async function indexHistory(kv: Store, course: Course = unwatched): Promise<void> {
  const rows = { prefix: rowKeys.everyTask(), perCommit: TASKS_PER_COMMIT };
  await rewriteRows<TaskRow>(kv, rows, course, (op, { value: task }) => {
    for (const key of indexKeys(task)) op.set(key, true);
  });
  for await (const last of kv.list<TaskRow>({ prefix: rowKeys.everyLastTask() })) {
    await keepNewest(kv, last);
  }
}

async function keepNewest(kv: Store, last: Deno.KvEntry<TaskRow>) {
  const { id, project_id, template_id } = last.value;
  const prefix = rowKeys.tasksByTemplate(project_id, template_id);
  for await (const { key } of kv.list({ prefix }, { reverse: true, limit: 1 })) {
    const newest = key.at(-1) as number;
    if (newest <= id) return;
    const task = await findTask(kv, project_id, newest);
    if (task) await kv.atomic().check(last).set(last.key, task).commit();
  }
}
