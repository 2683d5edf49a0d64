import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { keys } from "../../kv/keys.ts";
import { listTemplateTasks } from "../../tasks/repository.ts";
import type { TaskRow } from "../../tasks/schema.ts";
import { scheduleActor, scheduleEvent } from "./actor.ts";
import { passedRuns } from "./cron.ts";
import { timetableOf } from "./due.ts";
import { remember } from "./remember.ts";
import { scheduleRows, updateSchedule } from "./repository.ts";
import type { DueRow, ScheduleRow } from "./schema.ts";

/** A run that this server took, and must now start. */
export interface Firing {
  row: ScheduleRow;
  /** The "unfinished" row: it goes when the run is started, or comes due if this server dies. */
  unfinished: Deno.KvKey;
}

/** Later than this, a run counts as missed although the server was up: the machine slept. */
const LATE_MS_MAX = 60_000;
/** A run whose time came just before this server did may have been about to be taken by another. */
const START_TOLERANCE_MS = 1_000;
/** Longer than starting a task takes, or asking a slow repository first. */
const LEASE_MS = 60_000;
export const CHECKING_LEASE_MS = 15 * 60_000;
/** A schedule's own task is among the newest of its template, if it was made. */
const TASKS_LOOKED_AT = 100;

/**
 * Takes one due row: deleting it, setting the next time and promising the run are one atomic, so
 * that of several servers one gets it. Null when another did, or when there is nothing to run.
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
    await op.commit(); // left behind by a schedule that is gone or comes at another time
    return null;
  }
  const now = deps.clock.now();
  const turn = takeTurn(found.row, now, schedulerStart);
  // The next check sees what this one would.
  const run = turn.run && !await isChecking(deps.kv, op, found.row);
  const until = leaseEnd(found.row, now);
  const row = await updateSchedule(deps.kv, op, projectId, id, (current) => ({
    ...current,
    ...turn.changes,
    ...(run ? checkingUntil(current, until) : {}),
  }));
  if (turn.missed > 0) recordMissed(op, deps, row, turn.missed, at, turn.run);
  return await promise(deps, op, row, run, until);
}

/** Whether a check for new commits is under way; if none is, `op` fails once there is one. */
async function isChecking(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  { id, repository_id, checking_until }: ScheduleRow,
): Promise<boolean> {
  if (repository_id === null || checking_until === undefined) return false;
  const check = await kv.get(keys.scheduleDue(checking_until, id, "unfinished"));
  op.check(check);
  return check.value !== null;
}

const leaseEnd = ({ repository_id }: ScheduleRow, now: Date): string =>
  new Date(now.getTime() + (repository_id === null ? LEASE_MS : CHECKING_LEASE_MS)).toISOString();

const checkingUntil = ({ repository_id }: ScheduleRow, until: string) =>
  repository_id === null ? {} : { checking_until: until };

interface Turn {
  changes: Partial<ScheduleRow>;
  /** Times that passed while no server was there to take them. */
  missed: number;
  run: boolean;
}

/** What becomes of a schedule whose time has come. */
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
    // The server no longer knows the time zone: nothing to wait for until somebody mends it.
    if (!(error instanceof AppError)) throw error;
    const { key, params } = error;
    const last_error = { key, params, at: now.toISOString() };
    return { changes: { next_at: null, active: false, last_error }, missed: 0, run: false };
  }
}

const missedError = (now: Date) => ({ key: "errors.schedule_missed", at: now.toISOString() });

/** A run whose server died while it was being started: the task may exist or not. */
async function takeUnfinished(deps: Deps, entry: Deno.KvEntry<DueRow>): Promise<Firing | null> {
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

/** Commits what was taken. With `run`, it also leaves word until when a run is to be started. */
async function promise(
  deps: Deps,
  op: Deno.AtomicOperation,
  row: ScheduleRow,
  run: boolean,
  until: string,
): Promise<Firing | null> {
  const unfinished = keys.scheduleDue(until, row.id, "unfinished");
  const due: DueRow = {
    project_id: row.project_id,
    checks: row.repository_id !== null,
    taken: deps.clock.now().toISOString(),
    last_task: (await deps.kv.get<number>(keys.lastId("tasks"))).value ?? 0,
  };
  if (run) op.set(unfinished, due);
  const { ok } = await op.commit();
  return ok && run ? { row, unfinished } : null;
}

function recordMissed(
  op: Deno.AtomicOperation,
  deps: Deps,
  row: ScheduleRow,
  count: number,
  since: string,
  run: boolean,
) {
  const action = run ? "made_up" : "missed";
  recordEvent(op, deps, scheduleActor(row), {
    ...scheduleEvent(row),
    action,
    params: { count, since },
  });
}
