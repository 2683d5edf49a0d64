import { getAll } from "../kv/get_all.ts";
import { rowKeys } from "../kv/keys.ts";
import { listHistory } from "./history.ts";
import type { LogHead } from "../output/store.ts";
import type { TaskRow } from "./schema.ts";

/** How far a run has come: in tasks of its plays, as Ansible announces them. */
export interface Progress {
  done: number;
  /** As many as the template's last successful run had; null where nothing tells. */
  of: number | null;
}

/** How far each of `tasks` has come. */
export async function readProgress(kv: Deno.Kv, tasks: TaskRow[]): Promise<Progress[]> {
  const [heads, measures] = await Promise.all([
    getAll<LogHead>(kv, tasks.map(({ id }) => rowKeys.taskLogHead(id))),
    Promise.all(tasks.map((task) => measureOf(kv, task))),
  ]);
  return heads.map(({ value }, n) => {
    const done = value?.play_tasks ?? 0;
    const of = measures[n];
    // A run that goes on where the last one ended was a shorter one.
    return { done, of: of !== null && done <= of ? of : null };
  });
}

/** Tasks of plays in the last run that went well, if that ran the same. */
async function measureOf(kv: Deno.Kv, task: TaskRow): Promise<number | null> {
  const filter = { templateId: task.template_id, statuses: ["success"], limit: 1 } as const;
  const { tasks: [last] } = await listHistory(kv, task.project_id, filter);
  return last?.play_tasks && runsOf(last) === runsOf(task) ? last.play_tasks : null;
}

const runsOf = ({ playbook, tags, skip_tags }: TaskRow) =>
  JSON.stringify([playbook, tags, skip_tags]);
