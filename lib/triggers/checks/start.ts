import type { ProjectScope } from "../../access/scope.ts";
import { AppError } from "../../base/errors.ts";
import { CHECK_OPEN, claimLatestCheck } from "../../queue/again/latest_check.ts";
import { type StartAlso, startTask } from "../../queue/start/start.ts";
import type { TaskView } from "../../tasks/schema.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { parseStart } from "../../tasks/start_form.ts";
import type { Atomic } from "../../store/store.ts";

/**
 * Starts a check of a template: a dry run that finds out which hosts drifted. Throws 409 while
 * another check of the template is open. `also` adds to its commit, as in `startTask`.
 */
export function startCheck(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
  commit: { commit_hash?: string } = {},
  also: StartAlso = () => Promise.resolve(),
): Promise<TaskView> {
  const form = parseStart({ template_id: templateId, ...commit });
  const take = async (op: Atomic, task: TaskRow) => {
    await claimLatestCheck(scope.deps.kv, op, task);
    await also(op, task);
  };
  return startTask(scope, form, take, { kind: "check" });
}

/** Starts a check in the same way; resolves to the open one if there is one. */
export async function startCheckUnlessOpen(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
  commit: { commit_hash?: string },
  also: StartAlso,
): Promise<{ task: TaskView } | { waits: number }> {
  try {
    return { task: await startCheck(scope, templateId, commit, also) };
  } catch (error) {
    if (!(error instanceof AppError) || error.key !== CHECK_OPEN) throw error;
    return { waits: Number(error.params.id) };
  }
}
