import type { Deps } from "../../access/deps.ts";
import { listTemplateTasks } from "../../tasks/repository.ts";
import type { TaskRow } from "../../tasks/schema.ts";
import { remember } from "./remember.ts";
import { scheduleRows, updateSchedule } from "./repository.ts";
import type { DueRow, ScheduleRow } from "./schema.ts";
import {
  checkingUntil,
  type Firing,
  leaseEnd,
  missedError,
  promise,
  recordMissed,
} from "./firing.ts";

/** A schedule's own task is among the newest of its template, if it was made. */
const TASKS_LOOKED_AT = 100;

/** A run whose server died while it was being started: the task may exist or not. */
export async function takeUnfinished(
  deps: Deps,
  entry: Deno.KvEntry<DueRow>,
): Promise<Firing | null> {
  const id = entry.key[2] as number;
  const { project_id: projectId, taken = "", last_task } = entry.value;
  const op = deps.kv.atomic().check(entry).delete(entry.key);
  const found = await scheduleRows.find(deps.kv, projectId, id);
  if (!found || isSwitchedOff(found.row)) {
    await op.commit();
    return null;
  }
  const task = await findStarted(deps.kv, found.row, taken, last_task);
  if (task) {
    await remember(deps, op, found.row, { task, commit: task.commit_hash });
    await op.commit();
    return null;
  }
  const run = found.row.missed === "run_once";
  const now = deps.clock.now();
  const until = leaseEnd(found.row, now);
  const row = await updateSchedule(deps.kv, op, projectId, id, (current) => ({
    ...current,
    ...(run ? checkingUntil(current, until) : {}),
    last_error: run ? current.last_error : missedError(now),
  }));
  recordMissed(op, deps, row, 1, taken, run);
  return await promise(deps, op, row, run, until);
}

/** A one-time schedule is off as soon as its run is taken. */
const isSwitchedOff = ({ type, active }: ScheduleRow) => type === "" && !active;

/** The task that the schedule started after `lastTask`, or from `taken` on, if there is one. */
async function findStarted(
  kv: Deno.Kv,
  row: ScheduleRow,
  taken: string,
  lastTask: number | undefined,
): Promise<TaskRow | null> {
  const tasks = await listTemplateTasks(kv, row.project_id, row.template_id, {
    limit: TASKS_LOOKED_AT,
  });
  // Times are only for rows of former versions: the clock may have been set back since.
  const isLater = ({ id, created }: TaskRow) =>
    lastTask === undefined ? created >= taken : id > lastTask;
  return tasks.find((task) => task.schedule_id === row.id && isLater(task)) ?? null;
}
