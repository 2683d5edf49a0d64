import type { TaskView } from "../tasks/schema.ts";
import { environmentIds, type TemplateRow, type TemplateView } from "./schema.ts";

/** A template as the API returns it, in lists and alone. `tasks` is the number of started tasks. */
export function templateView(
  { more_environment_ids, ...row }: TemplateRow,
  lastTask: TaskView | null,
  tasks: number,
): TemplateView {
  const { id, project_id, environment_id, allow_override_branch_in_task = false } = row;
  const { preview_first = false, preview_end_unchanged = false } = row;
  const { suppress_full_results = false } = row;
  return {
    ...row,
    environment_ids: environmentIds({ environment_id, more_environment_ids }),
    allow_override_branch_in_task,
    suppress_full_results,
    preview_first,
    preview_end_unchanged,
    vault_key_id: row.vaults[0]?.vault_key_id ?? null,
    vaults: row.vaults.map(({ vault_key_id, name }, n) => ({
      id: n + 1,
      project_id,
      template_id: id,
      vault_key_id,
      name,
      type: vault_key_id === null ? "" : "password",
    })),
    tasks,
    last_task: lastTask,
    last_task_id: lastTask?.id ?? null,
  };
}
