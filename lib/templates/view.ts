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
  const { id, project_id, environment_id, allow_override_branch_in_task = false } = row;
  const { preview_first = false, preview_end_unchanged = false, muted = false } = row;
  const { suppress_error_alerts = false } = row;
  const { working_directory = null, keep_paths = null } = row;
  const { suppress_full_results = false, start_warning = null, approval = null } = row;
  const { check_cron = null, check_after_commit = false, auto_fix = null } = row;
  const { task_identity = false, task_identity_audience = "" } = row;
  const { retry_attempts = 0, retry_minutes = 0, own_key = false, toolchain_id = null } = row;
  const { ask_ssh_password = false, ask_become_password = false, ask_vault_password = false } = row;
  return {
    ...row,
    ...keyListView(ssh_keys),
    environment_ids: environmentIds({ environment_id, more_environment_ids }),
    working_directory,
    keep_paths,
    allow_override_branch_in_task,
    suppress_error_alerts,
    muted,
    suppress_full_results,
    start_warning,
    preview_first,
    preview_end_unchanged,
    approval,
    retry_attempts,
    retry_minutes,
    check_cron,
    check_after_commit,
    task_identity,
    task_identity_audience,
    own_key,
    ask_ssh_password,
    ask_become_password,
    ask_vault_password,
    auto_fix,
    toolchain_id,
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
