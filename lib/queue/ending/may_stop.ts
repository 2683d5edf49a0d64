import { grants } from "../../access/permissions.ts";
import type { ProjectScope } from "../../access/scope.ts";
import type { TaskRow } from "../../model/task_row.ts";

/** Returns the accounts that started a task: directly, or with its workflow. */
export const startersOf = (
  { user_id, workflow }: Pick<TaskRow, "user_id" | "workflow">,
): (number | null)[] => [user_id, workflow?.starter_id ?? null];

/** Whether the actor may stop what `starters` started. */
export const mayStop = (
  { actor, permissions }: Pick<ProjectScope, "actor" | "permissions">,
  starters: readonly (number | null)[],
): boolean =>
  grants(permissions, "stop_all_tasks") ||
  grants(permissions, "run_tasks") && actor.kind === "user" && starters.includes(actor.id);
