import type { TaskRow } from "../../model/task_row.ts";
import { findTask } from "../../model/tasks.ts";
import type { Store } from "../../store/store.ts";
import { labelOf } from "../definition.ts";
import type { FailedTask, RunRow } from "../run_schema.ts";
import type { Step } from "../schema.ts";
import { findRun } from "./repository.ts";

/** Returns a failed task as runs name it; null for one that has not failed. */
export const failedTaskOf = (
  { id, template_id, status, failure_line }: TaskRow,
): FailedTask | null => status === "error" ? { id, template_id, line: failure_line ?? null } : null;

/**
 * Returns why a run failed, because of this step: the sentence with the reason of the step, and the
 * task that explains it. That of a nested run is its own.
 */
export async function readRunFailure(
  kv: Store,
  { project_id, steps }: RunRow,
  step: Step,
): Promise<Pick<RunRow, "end_reason" | "failed_task">> {
  const { state, task_id, run_id, reason: own } = steps[step.id];
  const name = labelOf(step);
  if (state !== "failed") {
    return { end_reason: { key: `workflows.source.${state}`, params: { name } } };
  }
  const [task, nested] = await Promise.all([
    task_id === undefined ? null : findTask(kv, project_id, task_id),
    run_id === undefined ? null : findRun(kv, project_id, run_id),
  ]);
  const reason = own ?? task?.end_reason ?? nested?.end_reason;
  const failed = task ? failedTaskOf(task) : nested?.failed_task;
  return {
    end_reason: reason
      ? { key: "workflows.source.failed_reason", params: { name, reason } }
      : { key: "workflows.source.failed", params: { name } },
    ...failed && { failed_task: failed },
  };
}
