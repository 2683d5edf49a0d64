import { versioned } from "../../base/version.ts";
import { comingRuns } from "./due.ts";
import type { ScheduleRow, ScheduleView } from "./schema.ts";

const NEXT_RUNS = 5;

/** A schedule as the API returns it. */
export function scheduleView(row: ScheduleRow, templateName: string): ScheduleView {
  const { commit: _, next_at: __, last_error, ...shown } = row;
  return versioned({
    ...shown,
    tpl_name: templateName,
    next_runs: comingRuns(row, NEXT_RUNS),
    last_error: last_error && { key: last_error.key, params: last_error.params },
    last_error_at: last_error && last_error.at,
  }, setOf(row));
}

/** The members of a schedule that people set. The others change with each of its tasks. */
export function setOf(
  { commit: _, checking_until: __, next_at: ___, last_task_id: ____, last_error: _____, ...set }:
    ScheduleRow,
): object {
  return set;
}
