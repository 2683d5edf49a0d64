import type { Deps } from "../../access/deps.ts";
import { listTemplateTasks } from "../../tasks/repository.ts";
import type { TaskRow } from "../../tasks/schema.ts";
import { remember } from "./remember.ts";
import { scheduleRows, updateScheduleRow } from "./repository.ts";
import type { DueRow, ScheduleRow } from "./schema.ts";
import {
  checkingUntil,
  type Firing,
  leaseEnd,
  missedError,
  promise,
  recordMissed,
} from "./firing.ts";

/** The schedule's own task is among the latest of its template, if it was created. */
const TASKS_LOOKED_AT = 100;

/**
 * Takes the "unfinished" row of a server that died while it started a task. The task may or may not
 * exist.
 */
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
  const row = await updateScheduleRow(deps.kv, op, projectId, id, (current) => ({
    ...current,
    ...(run ? checkingUntil(current, until) : {}),
    last_error: run ? current.last_error : missedError(now),
  }));
  recordMissed(op, deps, row, 1, taken, run);
  return await promise(deps, op, row, run, until);
}

/**
 * Whether the schedule was disabled. A one-time schedule is inactive as soon as its time is taken.
 */
const isSwitchedOff = ({ type, active }: ScheduleRow) => type === "" && !active;

/**
 * The task that the schedule started after `lastTask`, or from `taken` on; null if there is none.
 */
async function findStarted(
  kv: Deno.Kv,
  row: ScheduleRow,
  taken: string,
  lastTask: number | undefined,
): Promise<TaskRow | null> {
  const tasks = await listTemplateTasks(kv, row.project_id, row.template_id, {
    limit: TASKS_LOOKED_AT,
  });
  // The time is compared only for rows of earlier versions, because the clock may have been set
  // back.
  const isLater = ({ id, created }: TaskRow) =>
    lastTask === undefined ? created >= taken : id > lastTask;
  return tasks.find((task) => task.schedule_id === row.id && isLater(task)) ?? null;
}
