import { rowKeys } from "../kv/keys.ts";
import { type Course, rewriteRows, unwatched } from "../kv/rewrite_rows.ts";
import { indexKeys } from "./index_keys.ts";
import type { TaskRow } from "./schema.ts";

/** A task has at most twelve rows in indices, and a commit takes 1,000. */
const TASKS_PER_COMMIT = 80;

/**
 * Gives tasks that were stored before there was `task_history`, or all of it, their rows. Rows that
 * are there already are written again, which changes nothing. Before, the later of two starts at once
 * could be kept as a template's newest task: that is put right, too.
 */
export async function indexHistory(kv: Deno.Kv, course: Course = unwatched): Promise<void> {
  const rows = { prefix: rowKeys.everyTask(), perCommit: TASKS_PER_COMMIT };
  await rewriteRows<TaskRow>(kv, rows, course, (op, { value: task }) => {
    for (const key of indexKeys(task)) op.set(key, true);
  });
  for await (const last of kv.list<TaskRow>({ prefix: rowKeys.everyLastTask() })) {
    await keepNewest(kv, last);
  }
}

async function keepNewest(kv: Deno.Kv, last: Deno.KvEntry<TaskRow>) {
  const { id, project_id, template_id } = last.value;
  const prefix = rowKeys.tasksByTemplate(project_id, template_id);
  for await (const { key } of kv.list({ prefix }, { reverse: true, limit: 1 })) {
    const newest = key.at(-1) as number;
    if (newest <= id) return;
    const { value } = await kv.get<TaskRow>(rowKeys.task(project_id, newest));
    if (value) await kv.atomic().check(last).set(last.key, value).commit();
  }
}
