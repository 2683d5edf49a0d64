import { deletePrefix } from "../../kv/delete_prefix.ts";
import { firstOfEach } from "../../kv/first_of_each.ts";
import { rowKeys } from "../../kv/keys.ts";
import type { TaskRow } from "../schema.ts";
import { isFinished } from "../status.ts";

/** A year, and the month that one is compared with. Of quarters, what a page shows, and a zone's day. */
const KEPT_DAYS = 400;
const KEPT_QUARTER_DAYS = 32;

const DAY_MS = 86_400_000;

/** The UTC day that a time is in: "2026-03-01". */
const dayOf = (time: Date | string): string => new Date(time).toISOString().slice(0, 10);

/**
 * The quarter of an hour that a time is in: "2026-03-01T10:15". Each time zone of today begins its
 * days with one, so that they make days of any of them.
 */
export function quarterOf(time: Date | string): string {
  const quarter = new Date(time);
  quarter.setUTCMinutes(Math.floor(quarter.getUTCMinutes() / 15) * 15);
  return quarter.toISOString().slice(0, 16);
}

/**
 * Adds to `op` that a run has ended, which it does once, and counts it where it was created. Sums do
 * not make commits wait for each other. What is counted stays when the run is deleted: see decision 39.
 */
export function countRun(op: Deno.AtomicOperation, task: TaskRow): void {
  const { project_id: projectId, template_id, user_id, created, status } = task;
  const seconds = BigInt(secondsOf(task));
  for (const templateId of [0, template_id]) {
    for (const userId of user_id === null ? [0] : [0, user_id]) {
      const day = [...rowKeys.runsByDay(projectId, templateId, userId), dayOf(created)];
      op.sum([...day, status], 1n);
      if (seconds > 0n) op.sum([...day, "seconds"], seconds);
    }
  }
  op.sum([...rowKeys.runsByQuarter(projectId), quarterOf(created), status], 1n);
}

/** How long a run took that was not stopped. */
function secondsOf({ status, start, end }: TaskRow): number {
  if (status === "stopped" || start === null || end === null) return 0;
  return Math.max(0, Math.round((Date.parse(end) - Date.parse(start)) / 1000));
}

/** A run is in nine sums at most, and a commit takes 1,000 mutations. */
const RUNS_PER_COMMIT = 100;

/** Counts all runs that there are, from the first one on: also where this was cut off before. */
export async function recountRuns(kv: Deno.Kv): Promise<void> {
  for (const prefix of rowKeys.runCounts()) await deletePrefix(kv, prefix);
  let op = kv.atomic();
  let count = 0;
  for await (const { value } of kv.list<TaskRow>({ prefix: rowKeys.everyTask() })) {
    if (!isFinished(value.status)) continue;
    countRun(op, value);
    if (++count % RUNS_PER_COMMIT > 0) continue;
    await op.commit();
    op = kv.atomic();
  }
  await op.commit();
}

/** Deletes what is counted of a project's days that nobody asks for any more. */
export async function sweepCounts(kv: Deno.Kv, projectId: number, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const quarters = rowKeys.runsByQuarter(projectId);
  await deletePrefix(kv, quarters, [...quarters, quarterOf(before(KEPT_QUARTER_DAYS))]);
  const oldest = dayOf(before(KEPT_DAYS));
  for await (const { part: template } of firstOfEach(kv, rowKeys.runsByTemplate(projectId))) {
    for await (const { part: user } of firstOfEach(kv, rowKeys.runsByUser(projectId, template))) {
      const days = rowKeys.runsByDay(projectId, template, user);
      await deletePrefix(kv, days, [...days, oldest]);
    }
  }
}
