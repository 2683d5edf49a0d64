import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { listTemplateTasks } from "../tasks/repository.ts";
import type { TaskRow } from "../model/task_row.ts";
import { putFiring } from "../triggers/schedules/firing.ts";
import { scheduleRows } from "../triggers/schedules/repository.ts";
import type { ScheduleRow } from "../triggers/schedules/schema.ts";

/** Row of a schedule's time that an earlier version has taken, before it started its task. */
interface UnfinishedRow {
  project_id: number;
  taken?: string;
  /** The highest id of a task at that time. */
  last_task?: number;
}

/** Turns taken times of schedules into jobs, which know the task if it was started. */
export async function fireUnfinished(kv: Store): Promise<void> {
  for await (const entry of kv.list<UnfinishedRow>({ prefix: rowKeys.schedulesDue() })) {
    const [, at, schedule_id, kind] = entry.key as [string, string, number, string];
    if (kind !== "unfinished") continue;
    const { project_id, taken = at } = entry.value;
    const row = (await scheduleRows.find(kv, project_id, schedule_id))?.row;
    const task = row && await findStarted(kv, row, entry.value);
    const op = kv.atomic().check(entry).delete(entry.key);
    if (row) {
      const started = task && { started: task.id, commit: task.commit_hash };
      putFiring(op, { clock: { now: () => new Date() } }, row, { taken, ...started });
    }
    await op.commit();
  }
  for await (const entry of kv.list<OldScheduleRow>({ prefix: ["schedules"] })) {
    const { checking_until, ...row } = entry.value;
    if (checking_until) await kv.atomic().check(entry).set(entry.key, row).commit();
  }
}

/** Schedules named the row of a check that had begun. */
interface OldScheduleRow {
  checking_until?: string;
}

/** The schedule's own task is among the latest of its template, if it was created. */
const TASKS_LOOKED_AT = 100;

/** Returns the task that was started for a taken time; null if there is none. */
async function findStarted(
  kv: Store,
  { id, project_id, template_id, check }: ScheduleRow,
  { taken = "", last_task }: UnfinishedRow,
): Promise<TaskRow | null> {
  if (template_id === null) return null; // the commit of a run deletes the row
  const page = { limit: TASKS_LOOKED_AT, checks: check };
  const tasks = await listTemplateTasks(kv, project_id, template_id, page);
  // Rows of the earliest versions have only the time.
  const isLater = (task: TaskRow) =>
    last_task === undefined ? task.created >= taken : task.id > last_task;
  return tasks.find((task) => task.schedule_id === id && isLater(task)) ?? null;
}
