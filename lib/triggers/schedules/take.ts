import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { passedRuns } from "./cron.ts";
import { timetableOf } from "./due.ts";
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
import { listTemplateTasks } from "../../tasks/repository.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { remember } from "./remember.ts";

/** A time that is later than this counts as missed, because the machine was asleep. */
const LATE_MS_MAX = 60_000;
/** A time just before this server's start may have been about to be taken by another server. */
const START_TOLERANCE_MS = 1_000;

/**
 * Takes one due row. Deleting it, setting the next time and adding the "unfinished" row are one
 * atomic operation, so only one of several servers gets it. Null if another server did, or if there
 * is nothing to start.
 */
export function takeDue(
  deps: Deps,
  entry: Deno.KvEntry<DueRow>,
  schedulerStart: Date,
): Promise<Firing | null> {
  const kind = entry.key[3] as "run" | "unfinished";
  return kind === "run" ? takeRun(deps, entry, schedulerStart) : takeUnfinished(deps, entry);
}

async function takeRun(
  deps: Deps,
  entry: Deno.KvEntry<DueRow>,
  schedulerStart: Date,
): Promise<Firing | null> {
  const [, at, id] = entry.key as [string, string, number];
  const projectId = entry.value.project_id;
  const op = deps.kv.atomic().check(entry).delete(entry.key);
  const found = await scheduleRows.find(deps.kv, projectId, id);
  if (found?.row.next_at !== at) {
    await op.commit(); // left by a schedule that was deleted or has another time
    return null;
  }
  const now = deps.clock.now();
  const turn = takeTurn(found.row, now, schedulerStart);
  // The next check sees the same commits.
  const run = turn.run && !await isChecking(deps.kv, op, found.row);
  const until = leaseEnd(found.row, now);
  const row = await updateScheduleRow(deps.kv, op, projectId, id, (current) => ({
    ...current,
    ...turn.changes,
    ...(run ? checkingUntil(current, until) : {}),
  }));
  if (turn.missed > 0 && isReported(row)) recordMissed(op, deps, row, turn.missed, at, turn.run);
  return await promise(deps, op, row, run, until);
}

/** The next look finds the same commits, so one that is missed changes nothing. */
const isReported = ({ set_by }: ScheduleRow) => set_by !== "check_after_commit";

/** Whether a check for new commits is in progress. If not, `op` fails once one has begun. */
async function isChecking(
  kv: Store,
  op: Atomic,
  { id, repository_id, checking_until }: ScheduleRow,
): Promise<boolean> {
  if (repository_id === null || checking_until === undefined) return false;
  const check = await kv.get(rowKeys.scheduleDue(checking_until, id, "unfinished"));
  op.check(check);
  return check.value !== null;
}

interface Turn {
  changes: Partial<ScheduleRow>;
  /** Number of times that passed while no server could take them. */
  missed: number;
  run: boolean;
}

/** Decides how a schedule continues when its time has come. */
function takeTurn(row: ScheduleRow, now: Date, schedulerStart: Date): Turn {
  const due = new Date(row.next_at!);
  const isMissed = due.getTime() < schedulerStart.getTime() - START_TOLERANCE_MS ||
    now.getTime() - due.getTime() > LATE_MS_MAX;
  const run = !isMissed || row.missed === "run_once";
  const error = run ? null : missedError(now);
  if (row.type === "run_at") {
    const changes = { next_at: null, active: false, last_error: error ?? row.last_error };
    return { changes, missed: isMissed ? 1 : 0, run };
  }
  try {
    const { count, next } = passedRuns(timetableOf(row), due, now);
    const next_at = next?.toISOString() ?? null;
    const changes = { next_at, last_error: error ?? row.last_error };
    return { changes, missed: isMissed ? count : 0, run };
  } catch (error) {
    // The server no longer knows the time zone, so the schedule is disabled until someone corrects
    // it.
    if (!(error instanceof AppError)) throw error;
    const { key, params } = error;
    const last_error = { key, params, at: now.toISOString() };
    return { changes: { next_at: null, active: false, last_error }, missed: 0, run: false };
  }
}

/**
 * Takes the "unfinished" row of a server that died while it started a task. The task may or may not
 * exist.
 */
async function takeUnfinished(
  deps: Deps,
  entry: Deno.KvEntry<DueRow>,
): Promise<Firing | null> {
  const id = entry.key[2] as number;
  const { project_id: projectId, taken = "" } = entry.value;
  const op = deps.kv.atomic().check(entry).delete(entry.key);
  const found = await scheduleRows.find(deps.kv, projectId, id);
  if (!found || isSwitchedOff(found.row)) {
    await op.commit();
    return null;
  }
  const task = await findStarted(deps.kv, found.row, entry.value);
  if (task) {
    const started = { last_task_id: task.id };
    await remember(deps, op, found.row, { started, commit: task.commit_hash });
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
  if (isReported(row)) recordMissed(op, deps, row, 1, taken, run);
  return await promise(deps, op, row, run, until);
}

/**
 * Whether the schedule was disabled. A one-time schedule is inactive as soon as its time is taken.
 */
const isSwitchedOff = ({ type, active }: ScheduleRow) => type === "" && !active;

/** The schedule's own task is among the latest of its template, if it was created. */
const TASKS_LOOKED_AT = 100;

/**
 * The task that the schedule started after `last_task`, or from `taken` on; null if there is none.
 * A run of a workflow deletes the row in the commit that stores it.
 */
async function findStarted(
  kv: Store,
  { id, project_id, template_id, check }: ScheduleRow,
  { taken = "", last_task }: DueRow,
): Promise<TaskRow | null> {
  if (template_id === null) return null;
  const page = { limit: TASKS_LOOKED_AT, checks: check };
  const tasks = await listTemplateTasks(kv, project_id, template_id, page);
  // The time is compared only for rows of earlier versions, because the clock may have been set
  // back.
  const isLater = (task: TaskRow) =>
    last_task === undefined ? task.created >= taken : task.id > last_task;
  return tasks.find((task) => task.schedule_id === id && isLater(task)) ?? null;
}
