import type * as z from "zod";
import type { ProjectScope } from "../../access/scope.ts";
import { type ChoiceList, type ChoiceLists, hasSource } from "../../surveys/choices.ts";
import type { Freshness } from "../../surveys/latest_text.ts";
import { loadChoiceLists } from "../../surveys/load_lists.ts";
import type { questionChoicesSchema } from "../../surveys/schema.ts";
import { templateRows } from "../../templates/repository.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { allowancesFor } from "./overrides.ts";
import { taskLabels } from "./task_labels.ts";

/** Values of a task that decide where choices come from. */
export interface TaskContext {
  inventory_id: number | null;
  git_branch: string | null;
  commit_hash: string | null;
}

/**
 * Loads the choices of a template's survey from the commit and inventory of a task. Values that the
 * template does not let a task choose do not count.
 */
export async function loadTaskChoices(
  scope: ProjectScope,
  template: TemplateRow,
  task: TaskContext,
  freshness: Freshness,
): Promise<ChoiceLists> {
  const { survey_vars, repository_id, git_branch } = template;
  if (!survey_vars.some(hasSource)) return new Map();
  const allowed = allowancesFor(scope, template);
  const inventoryId = (allowed.inventory_id ? task.inventory_id : null) ?? template.inventory_id;
  return await loadChoiceLists(
    scope,
    {
      repositoryId: repository_id,
      commit: {
        branch: (allowed.git_branch ? task.git_branch : null) ?? (git_branch || null),
        commit: task.commit_hash,
        ofBranch: task.commit_hash !== null,
      },
      inventoryId,
      toolchainId: template.toolchain_id,
      labels: await taskLabels(scope.deps.kv, template, inventoryId),
    },
    survey_vars,
    freshness,
  );
}

/**
 * Loads the choices for a form. Reads the template itself, because its view lacks the secret parts
 * of addresses for people who may not change it.
 */
export const loadFormChoices = async (
  scope: ProjectScope,
  templateId: number,
  task: TaskContext,
  freshness: Freshness,
): Promise<ChoiceLists> =>
  loadTaskChoices(
    scope,
    await templateRows.get(scope.deps.kv, scope.projectId, templateId),
    task,
    freshness,
  );

/** Returns the current choices of a template's survey for a task that overrides nothing. */
export async function listSurveyChoices(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
): Promise<z.output<typeof questionChoicesSchema>[]> {
  const template = await templateRows.get(scope.deps.kv, scope.projectId, templateId);
  const place = { inventory_id: null, git_branch: null, commit_hash: null };
  const lists = await loadTaskChoices(scope, template, place, "form");
  return template.survey_vars.flatMap(({ name, values }) => {
    const list: ChoiceList | null = lists.get(name) ??
      (values.length > 0 ? { choices: values } : null);
    if (!list) return [];
    const { choices, asOf = null } = list;
    return Array.isArray(choices)
      ? { name, choices, choices_by_answer: null, as_of: asOf }
      : { name, choices: null, choices_by_answer: choices, as_of: asOf };
  });
}
