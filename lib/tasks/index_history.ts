import { rowKeys } from "../kv/keys.ts";
import { indexKeys } from "./index_keys.ts";
import type { TaskRow } from "./schema.ts";

/** A task has at most twelve rows in indices, and a commit takes 1,000. */
const TASKS_PER_COMMIT = 80;

/**
 * Gives tasks that were stored before there was `task_history`, or all of it, their rows. Rows that are
 * there already are written again, which changes nothing. Before, the later of two starts at once
 * could be kept as a template's newest task: that is put right, too.
 */
export async function indexHistory(kv: Deno.Kv): Promise<void> {
  const newest = new Map<string, TaskRow>();
  let op = kv.atomic();
  let count = 0;
  for await (const { value: task } of kv.list<TaskRow>({ prefix: rowKeys.everyTask() })) {
    newest.set(`${task.project_id}/${task.template_id}`, task); // ascending: the last one stays
    for (const key of indexKeys(task)) op.set(key, true);
    if (++count % TASKS_PER_COMMIT > 0) continue;
    await op.commit();
    op = kv.atomic();
  }
  await op.commit();
  for (const task of newest.values()) await keepNewest(kv, task);
}

async function keepNewest(kv: Deno.Kv, task: TaskRow) {
  const last = await kv.get<TaskRow>(rowKeys.lastTask(task.project_id, task.template_id));
  if (last.value && last.value.id < task.id) {
    await kv.atomic().check(last).set(last.key, task).commit();
  }
}
