import { countEnd, dayOf, secondsBetween, sweepDayCounts } from "../../store/day_counts.ts";
import { deletePrefix } from "../../store/delete_prefix.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isRepeated } from "../attempts.ts";

/** Quarters of an hour are needed for the days that a page shows, plus a day for time zones. */
const KEPT_QUARTER_DAYS = 32;

/**
 * Returns the quarter of an hour of a time: "2026-03-01T10:15". In every current time zone, days
 * begin with such a quarter, so quarters can be added up to days of any zone.
 */
export function quarterOf(time: Date | string): string {
  const quarter = new Date(time);
  quarter.setUTCMinutes(Math.floor(quarter.getUTCMinutes() / 15) * 15);
  return quarter.toISOString().slice(0, 16);
}

/**
 * Adds the end of a task to the counts of the day on which it was created. A task ends once. A
 * check is not counted, and of automatic attempts only the last one. Counts stay when the task
 * is deleted: see decision 23.
 */
export function countRun(op: Atomic, task: TaskRow): void {
  if (task.check || isRepeated(task)) return;
  const { project_id: projectId, template_id, user_id, created, status, start, end } = task;
  const seconds = status === "stopped" ? 0 : secondsBetween(start, end);
  for (const templateId of [0, template_id]) {
    for (const userId of user_id === null ? [0] : [0, user_id]) {
      const key = rowKeys.runsByDay(projectId, templateId, userId);
      countEnd(op, [...key, dayOf(created)], status, seconds);
    }
  }
  op.sum([...rowKeys.runsByQuarter(projectId), quarterOf(created), status], 1n);
}

/** Deletes a project's counts for days that are no longer needed. */
export async function sweepCounts(kv: Store, projectId: number, now: Date): Promise<void> {
  const quarters = rowKeys.runsByQuarter(projectId);
  await deletePrefix(kv, quarters, [...quarters, dayOf(now, KEPT_QUARTER_DAYS)]);
  await sweepDayCounts(kv, rowKeys.runsByTemplate(projectId), 2, now);
}
