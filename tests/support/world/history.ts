import { addCounted } from "@/lib/store/counted.ts";
import { nextIds } from "@/lib/store/ids.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { Store } from "@/lib/store/store.ts";
import { indexKeys } from "@/lib/tasks/history/index_keys.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { isFinished } from "@/lib/model/status.ts";
import { countRun } from "@/lib/tasks/trends/counters.ts";

/** A commit in KV may have 1,000 mutations and 800 KiB. */
const TASKS_PER_COMMIT = 25;

/** Stores finished tasks as copies of `model` with individual changes, oldest first. */
export async function writeHistory(
  kv: Store,
  model: TaskRow,
  changes: Partial<TaskRow>[],
): Promise<TaskRow[]> {
  const ids = await nextIds(kv, "tasks", changes.length);
  const tasks = changes.map((change, n) => ({ ...model, ...change, id: ids[n] }));
  for (let from = 0; from < tasks.length; from += TASKS_PER_COMMIT) {
    const op = kv.atomic();
    for (const task of tasks.slice(from, from + TASKS_PER_COMMIT)) {
      addCounted(op, rowKeys.task(task.project_id, task.id), task);
      for (const key of indexKeys(task)) addCounted(op, key);
      if (isFinished(task.status)) countRun(op, task);
    }
    await op.commit();
  }
  for (const task of new Map(tasks.map((task) => [task.template_id, task])).values()) {
    await kv.set(rowKeys.lastTask(task.project_id, task.template_id), task);
  }
  return tasks;
}
