import type { ProjectScope } from "../../access/scope.ts";
import { AppError, conflict } from "../../base/errors.ts";
import { rowKeys } from "../../kv/keys.ts";
import { startTask } from "../../queue/start.ts";
import { findTask } from "../../tasks/repository.ts";
import type { TaskView } from "../../tasks/schema.ts";
import { parseStart } from "../../tasks/start_form.ts";
import { isFinished } from "../../tasks/status.ts";

const CHECK_OPEN = "errors.drift.check_open";

/**
 * Starts a check of a template: a dry run that finds out which hosts drifted. Throws 409 while
 * another check of the template is open. That holds with several servers too, because each start
 * takes the next id of all tasks.
 */
export function startCheck(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
  commit: { commit_hash?: string } = {},
): Promise<TaskView> {
  const { deps: { kv }, projectId } = scope;
  const key = rowKeys.latestStart(projectId, "check", templateId);
  return startTask(
    scope,
    parseStart({ template_id: templateId, ...commit }),
    async (op, { id }) => {
      const latest = await kv.get<number>(key);
      const task = latest.value === null ? null : await findTask(kv, projectId, latest.value);
      if (task && !isFinished(task.status)) {
        throw conflict(CHECK_OPEN, { id: task.id });
      }
      op.set(key, id);
    },
    { check: true },
  );
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
