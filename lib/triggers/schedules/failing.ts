import type { ProjectScope } from "../../access/scope.ts";
import type { Sentence } from "../../base/errors.ts";
import { cachedWhile } from "../../kv/cached.ts";
import { getAll } from "../../kv/get_all.ts";
import { rowKeys } from "../../kv/keys.ts";
import { type StartedTask, startedTasks } from "../../tasks/initiators.ts";
import { getTasks } from "../../tasks/repository.ts";
import { nameOf } from "./actor.ts";
import { scheduleRows } from "./repository.ts";
import type { ScheduleRow } from "./schema.ts";

/** A schedule whose last time failed. */
export interface FailingSchedule {
  id: number;
  name: string;
  template_id: number;
  template_name: string;
  /** The task that failed; null if none could be started. */
  task: StartedTask | null;
  /** Reason why no task could be started. */
  error: Sentence | null;
  at: string | null;
}

/**
 * Returns the project's schedules whose last task failed, or that could not start one. Disabled
 * schedules do not count, nor do one-time schedules whose task failed, because nothing follows.
 * Each page asks for them. The stamps move with each schedule, and with the end of its tasks.
 */
export function listFailingSchedules(
  { deps: { kv }, projectId }: ProjectScope,
): Promise<FailingSchedule[]> {
  const stamps = [rowKeys.resourcesStamp("schedules"), rowKeys.resourcesStamp("templates")];
  return cachedWhile(kv, stamps, `failing schedules of ${projectId}`, async () => {
    const watched = (await scheduleRows.list(kv, projectId)).filter(mayFail);
    const lastIds = watched.flatMap(({ last_error, last_task_id }) =>
      last_error || last_task_id === null ? [] : last_task_id
    );
    const last = await getTasks(kv, lastIds.map((id) => [projectId, id]));
    const failed = await startedTasks(kv, last.filter(({ status }) => status === "error"));
    const tasks = new Map(failed.map((task) => [task.id, task]));
    const failing = watched.filter(({ last_error, last_task_id }) =>
      last_error || tasks.has(last_task_id!)
    );
    const templates = await getAll<{ name: string }>(
      kv,
      failing.map(({ template_id }) => rowKeys.resource("templates", projectId, template_id)),
    );
    return failing.map((row, n) => failure(row, templates[n].value?.name ?? "", tasks));
  });
}

function mayFail({ type, active, last_error }: ScheduleRow): boolean {
  if (type === "run_at") return last_error !== null;
  // The scheduler disables a schedule whose times it can no longer compute.
  return active || last_error?.key.startsWith("errors.cron.") === true;
}

function failure(
  row: ScheduleRow,
  template_name: string,
  tasks: Map<number, StartedTask>,
): FailingSchedule {
  const { id, template_id, last_error } = row;
  const task = last_error ? null : tasks.get(row.last_task_id!) ?? null;
  const error = last_error && { key: last_error.key, params: last_error.params };
  const at = last_error?.at ?? task?.end ?? null;
  return { id, name: nameOf(row), template_id, template_name, task, error, at };
}
