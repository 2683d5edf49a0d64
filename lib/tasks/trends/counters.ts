import {
  countEnd,
  dayOf,
  secondsBetween,
  type Sums,
  sweepDayCounts,
} from "../../store/day_counts.ts";
import { deletePrefix } from "../../store/delete_prefix.ts";
import { rowKeys } from "../../store/keys.ts";
import { type Course, unwatched } from "../../store/rows/rewrite_rows.ts";
import type { Store } from "../../store/store.ts";
import { writeAll } from "../../store/rows/write_all.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isRepeated } from "../attempts.ts";
import { isFinished } from "../../model/status.ts";

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
export function countRun(op: Sums, task: TaskRow): void {
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

/** Number of sums that are collected before they are stored. */
const SUMS_MAX = 900;

/** Counts all stored tasks again from the beginning, also after an interruption. */
export async function recountRuns(kv: Store, course: Course = unwatched): Promise<void> {
  for (const prefix of rowKeys.runCounts()) await deletePrefix(kv, prefix);
  const sums = new Map<string, { key: Deno.KvKey; sum: bigint }>();
  // Tasks of one day follow each other and share most of their sums.
  const collected = {
    sum(key: Deno.KvKey, count: bigint) {
      const id = key.join("\0");
      sums.set(id, { key, sum: (sums.get(id)?.sum ?? 0n) + count });
    },
  };
  const store = async () => {
    await writeAll(kv, sums.values(), (op, { key, sum }) => op.sum(key, sum));
    sums.clear();
  };
  const tasks = kv.list<TaskRow>({ prefix: rowKeys.everyTask() }, { batchSize: 500 });
  for await (const { value } of tasks) {
    course.count(1);
    if (isFinished(value.status)) countRun(collected, value);
    if (sums.size > SUMS_MAX) await store();
  }
  await store();
}

/** Deletes a project's counts for days that are no longer needed. */
export async function sweepCounts(kv: Store, projectId: number, now: Date): Promise<void> {
  const quarters = rowKeys.runsByQuarter(projectId);
  await deletePrefix(kv, quarters, [...quarters, dayOf(now, KEPT_QUARTER_DAYS)]);
  await sweepDayCounts(kv, rowKeys.runsByTemplate(projectId), 2, now);
}
