import type { ProjectScope } from "../../access/scope.ts";
import { AppError } from "../../base/errors.ts";
import { CHECK_OPEN, takeCheckTurn } from "../../queue/again/check_turn.ts";
import { startTask } from "../../queue/start/start.ts";
import type { TaskView } from "../../tasks/schema.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { parseStart } from "../../tasks/start_form.ts";
import type { Atomic } from "../../store/store.ts";

/**
 * Starts a check of a template: a dry run that finds out which hosts drifted. Throws 409 while
 * another check of the template is open.
 */
export function startCheck(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
  commit: { commit_hash?: string } = {},
): Promise<TaskView> {
  const form = parseStart({ template_id: templateId, ...commit });
  const also = (op: Atomic, task: TaskRow) => takeCheckTurn(scope.deps.kv, op, task);
  return startTask(scope, form, also, { kind: "check" });
}

/** Starts a check in the same way; resolves to the open one if there is one. */
export async function startCheckInTurn(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
  commit: { commit_hash?: string },
): Promise<{ task: TaskView } | { waits: number }> {
  try {
    return { task: await startCheck(scope, templateId, commit) };
  } catch (error) {
    if (!(error instanceof AppError) || error.key !== CHECK_OPEN) throw error;
    return { waits: Number(error.params.id) };
  }
}
