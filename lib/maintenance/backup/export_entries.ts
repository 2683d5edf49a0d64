import type { IntegrationRow } from "../../triggers/integrations/schema.ts";
import type { ScheduleRow } from "../../triggers/schedules/schema.ts";
import { environmentIds, type TemplateRow } from "../../templates/schema.ts";
import type { NameInFile } from "./names.ts";
import type { BackupFile, BackupFormat } from "./schema.ts";

export type Names = Record<
  "keys" | "environments" | "views" | "repositories" | "inventories" | "templates",
  Map<number, NameInFile>
>;

export const entryName = (names: Map<number, NameInFile>, id: number | null): string | null =>
  id === null ? null : names.get(id)!.name;

export function exportTemplate(
  row: TemplateRow,
  own: ScheduleRow[],
  names: Names,
  format: BackupFormat,
): NonNullable<BackupFile["templates"]>[number] {
  const clock = own.find(({ type, active }) => type === "" && active);
  const vaults = row.vaults.map(({ vault_key_id, name }) => ({
    name,
    vault_key: entryName(names.keys, vault_key_id),
  }));
  return {
    ...names.templates.get(row.id)!,
    description: row.description,
    playbook: row.playbook,
    type: row.type,
    app: row.app,
    inventory: entryName(names.inventories, row.inventory_id),
    repository: entryName(names.repositories, row.repository_id),
    environment: entryName(names.environments, row.environment_id),
    // Omitted unless the template has several environments, which few have.
    environments: row.more_environment_ids?.length
      ? environmentIds(row).map((id) => entryName(names.environments, id)!)
      : null,
    view: entryName(names.views, row.view_id),
    vault_key: vaults[0]?.vault_key ?? null,
    vaults,
    start_version: row.start_version,
    build_template: entryName(names.templates, row.build_template_id),
    autorun: row.autorun,
    survey_vars: format === "2.9" ? JSON.stringify(row.survey_vars) : row.survey_vars,
    arguments: row.arguments,
    allow_override_args_in_task: row.allow_override_args_in_task,
    allow_override_branch_in_task: row.allow_override_branch_in_task || null,
    suppress_success_alerts: row.suppress_success_alerts,
    suppress_full_results: row.suppress_full_results || null,
    require_confirmation: row.require_confirmation,
    preview_first: row.preview_first || null,
    preview_end_unchanged: row.preview_end_unchanged || null,
    allow_parallel_tasks: row.allow_parallel_tasks,
    git_branch: row.git_branch,
    task_params: row.task_params,
    cron: clock ? cronText(clock) : null,
    schedules: own.map((schedule) => exportSchedule(schedule, names)),
  };
}

/** Other servers know a schedule's time zone only as a prefix of its times. */
const cronText = ({ cron_format, timezone }: ScheduleRow) =>
  timezone && !cron_format.includes("TZ=") ? `CRON_TZ=${timezone} ${cron_format}` : cron_format;

function exportSchedule(row: ScheduleRow, names: Names) {
  const { inventory, task_params } = portableParams(row.task_params, names);
  return {
    name: row.name,
    type: row.type,
    cron_format: row.cron_format,
    timezone: row.timezone,
    run_at: row.run_at,
    delete_after_run: row.delete_after_run,
    active: row.active,
    repository: entryName(names.repositories, row.repository_id),
    missed: row.missed,
    task_params,
    inventory,
  };
}

export function exportIntegration(row: IntegrationRow, names: Names) {
  const { inventory, task_params } = portableParams(row.task_params, names);
  return {
    name: row.name,
    template: entryName(names.templates, row.template_id),
    auth_method: row.auth_method,
    auth_header: row.auth_header,
    auth_secret: entryName(names.keys, row.auth_secret_id),
    searchable: row.searchable,
    keep_bodies: row.keep_bodies,
    task_params,
    inventory,
    matchers: row.matchers.map(({ id: _, ...matcher }) => matcher),
    extract_values: row.values.map(({ id: _, ...value }) => value),
    aliases: row.aliases.map(({ text }) => text),
  };
}

/**
 * Parameters of a start, with the inventory by name. A task to deploy belongs to the history and is
 * omitted.
 */
function portableParams(params: Record<string, unknown> | null, names: Names) {
  if (!params) return { task_params: null, inventory: null };
  const { inventory_id, build_task_id: _, ...task_params } = params;
  return { task_params, inventory: names.inventories.get(Number(inventory_id))?.name ?? null };
}
