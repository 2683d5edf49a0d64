import type { Deps } from "../../../access/deps.ts";
import type { TaskRow } from "../../../model/task_row.ts";

/** Whether a task has run for longer than the server allows. Their runners have no limit. */
export function isOverTime(
  { clock, config: { taskTimeLimitMs } }: Pick<Deps, "clock" | "config">,
  { start }: Pick<TaskRow, "start">,
): boolean {
  if (taskTimeLimitMs === 0 || start === null) return false;
  return clock.now().getTime() - Date.parse(start) > taskTimeLimitMs;
}
