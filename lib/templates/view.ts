import type { TaskView } from "../tasks/schema.ts";
import type { TemplateRow, TemplateView } from "./schema.ts";

/** A template as the API answers it: alike in lists and alone. */
export function templateView(row: TemplateRow, lastTask: TaskView | null): TemplateView {
  const { id, project_id } = row;
  return {
    ...row,
    vault_key_id: row.vaults[0]?.vault_key_id ?? null,
    vaults: row.vaults.map(({ vault_key_id, name }, n) => ({
      id: n + 1,
      project_id,
      template_id: id,
      vault_key_id,
      name,
      type: "password",
    })),
    last_task: lastTask,
    last_task_id: lastTask?.id ?? null,
  };
}
