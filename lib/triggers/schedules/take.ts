import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import type { JobRow } from "../../jobs/rows.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { passedRuns } from "./cron.ts";
import { timetableOf } from "./due.ts";
import { isLate, missedError, putFiring, recordMissed, scheduleChecks } from "./firing.ts";
import { scheduleRows, updateScheduleRow } from "./repository.ts";
import type { DueRow, ScheduleRow } from "./schema.ts";

/** A time just before this server's start may have been about to be taken by another server. */
const START_TOLERANCE_MS = 1_000;

/**
 * Takes one due row. Deleting it, setting the next time and putting the job that starts the task
 * are one atomic operation, so only one of several servers gets it.
 */
export async function takeDue(
  deps: Deps,
  entry: Deno.KvEntry<DueRow>,
  schedulerStart: Date,
): Promise<void> {
  const [, at, id] = entry.key as [string, string, number];
  const projectId = entry.value.project_id;
  const op = deps.kv.atomic().check(entry).delete(entry.key);
  const found = await scheduleRows.find(deps.kv, projectId, id);
  if (found?.row.next_at !== at) {
    await op.commit(); // left by a schedule that was deleted or has another time
    return;
  }
  const decision = decideTime(found.row, deps.clock.now(), schedulerStart);
  // The next check sees the same commits.
  const run = decision.run && !await isChecking(deps.kv, op, found.row);
  const row = await updateScheduleRow(deps.kv, op, projectId, id, (current) => ({
    ...current,
    ...decision.changes,
  }));
  const { missed: count } = decision;
  if (count > 0) recordMissed(op, deps, row, { count, since: at, run: decision.run });
  if (run) putFiring(op, deps, row);
  await op.commit();
}

/** Whether a check for new commits is in progress. If not, `op` fails once one has begun. */
async function isChecking(
  kv: Store,
  op: Atomic,
  { id, repository_id }: ScheduleRow,
): Promise<boolean> {
  if (repository_id === null) return false;
  const check = await kv.get<JobRow>(rowKeys.job(scheduleChecks.name, id));
  op.check(check);
  return check.value !== null && check.value.set_aside === undefined;
}

interface TimeDecision {
  changes: Partial<ScheduleRow>;
  /** Number of times that passed while no server could take them. */
  missed: number;
  run: boolean;
}

/** Decides how a schedule continues when its time has come. */
function decideTime(row: ScheduleRow, now: Date, schedulerStart: Date): TimeDecision {
  const due = new Date(row.next_at!);
  const isMissed = due.getTime() < schedulerStart.getTime() - START_TOLERANCE_MS ||
    isLate(due, now);
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
