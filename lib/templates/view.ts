import { accessRuleView } from "../access/rules/schema.ts";
import { grants } from "../access/permissions.ts";
import { withoutSecretUrls } from "../surveys/hide_urls.ts";
import { runnerTagOf } from "../base/text/labels.ts";
import { keyListView } from "../resources/common/key_list.ts";
import type { TaskView } from "../tasks/schema.ts";
import { environmentIds, type TemplateRow, type TemplateView } from "./schema.ts";

/** A template as the API returns it, in lists and alone. `tasks` is the number of started tasks. */
export function templateView(
  {
    more_environment_ids,
    runner_labels,
    empty_runner_tag,
    ssh_keys = [],
    changed_by: _,
    ...row
  }: TemplateRow,
  lastTask: TaskView | null,
  tasks: number,
): TemplateView {
  const { id, project_id, environment_id } = row;
  return {
    ...row,
    ...accessRuleView(row),
    ...keyListView(ssh_keys),
    environment_ids: environmentIds({ environment_id, more_environment_ids }),
    runner_tag: runnerTagOf({ runner_labels, empty_runner_tag }),
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

/** Returns a template as people with these permissions see it. */
export const shownTo = (permissions: number, template: TemplateView): TemplateView =>
  grants(permissions, "manage_resources")
    ? template
    : { ...template, survey_vars: withoutSecretUrls(template.survey_vars) };
