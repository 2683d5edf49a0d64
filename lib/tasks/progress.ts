import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { listHistory } from "./history/history.ts";
import type { LogHead } from "../output/store.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Progress of a task, counted in Ansible tasks as Ansible announces them. */
export interface Progress {
  done: number;
  /** Count of the template's last successful task; null if unknown. */
  of: number | null;
}

/** Returns the progress of each of `tasks`. */
export async function readProgress(kv: Store, tasks: TaskRow[]): Promise<Progress[]> {
  const [heads, measures] = await Promise.all([
    getAll<LogHead>(kv, tasks.map(({ id }) => rowKeys.taskLogHead(id))),
    Promise.all(tasks.map((task) => measureOf(kv, task))),
  ]);
  return heads.map(({ value }, n) => {
    const done = value?.play_tasks ?? 0;
    const of = measures[n];
    // A task that passes the count of the last one was not comparable to it.
    return { done, of: of !== null && done <= of ? of : null };
  });
}

/**
 * Returns the number of Ansible tasks in the last successful task, if it had the same playbook and
 * tags.
 */
async function measureOf(kv: Store, task: TaskRow): Promise<number | null> {
  const filter = { templateId: task.template_id, statuses: ["success"], limit: 1 } as const;
  const { tasks: [last] } = await listHistory(kv, task.project_id, filter, null);
  return last?.play_tasks && runsOf(last) === runsOf(task) ? last.play_tasks : null;
}

const runsOf = ({ playbook, tags, skip_tags }: TaskRow) =>
  JSON.stringify([playbook, tags, skip_tags]);
