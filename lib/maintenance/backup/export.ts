import { runnerTagOf } from "../../base/text/labels.ts";
import { environmentIds, type TemplateRow } from "../../templates/schema.ts";
import type { ViewRow } from "../../templates/views/schema.ts";
import { exportAccessRule } from "./access_rules.ts";
import { exportAlerts } from "./alerts.ts";
import {
  exportGitCredentials,
  exportKey,
  exportKeys,
  exportRepository,
  exportToolchains,
  toolchainName,
} from "./export_resources.ts";
import { exportWorkflow } from "./export_workflow.ts";
import { entryName, type Names, portableParams, uniqueNames } from "./names.ts";
import { exportSource, exportStorages } from "./secret_storages.ts";
import { exportRule } from "./people.ts";
import type { ProjectRows } from "./rows.ts";
import type { BackupFile, BackupFormat } from "./schema.ts";
import type { IntegrationRow } from "../../triggers/integrations/schema.ts";
import type { ScheduleRow } from "../../triggers/schedules/schema.ts";

/**
 * Returns the backup file of a project: everything but secrets, members and history. `usernames`
 * are those of the people that rules name, by id.
 */
export function exportProject(
  rows: ProjectRows,
  format: BackupFormat,
  usernames: ReadonlyMap<number, string> = new Map(),
): BackupFile {
  const names = namesOf(rows);
  // Schedules of members of templates are created again from these.
  const own = rows.schedules.filter(({ set_by }) => !set_by);
  const schedules = Map.groupBy(own, ({ template_id }) => template_id);
  const ofWorkflows = rows.schedules.filter(({ workflow_id }) => workflow_id);
  return withoutNulls({
    generator: "callboard",
    meta: { ...exportMeta(rows), toolchain: toolchainName(names, rows.project) },
    secret_storages: exportStorages(rows, names),
    keys: rows.keys.map((row) => exportKey(row, names)),
    environments: rows.environments.map(({ id, json, env, secrets }) => ({
      ...names.environments.get(id)!,
      json,
      env,
      secrets: secrets.map(({ type, name, source }) => ({
        type,
        name,
        source: exportSource(source, names),
      })),
    })),
    views: rows.views.map((row) => exportView(row, names, usernames)),
    repositories: rows.repositories.map((row) => exportRepository(row, names)),
    inventories: rows.inventories.map((row) => ({
      ...names.inventories.get(row.id)!,
      type: row.type,
      inventory: row.inventory,
      ssh_key: entryName(names.keys, row.ssh_key_id),
      ssh_keys: exportKeys(row.ssh_keys, names),
      become_key: entryName(names.keys, row.become_key_id),
      own_key: row.own_key || null,
      repository: entryName(names.repositories, row.repository_id),
      runner_tag: runnerTagOf(row),
      toolchain: toolchainName(names, row),
      keep_paths: row.keep_paths,
    })),
    templates: sourcesFirst(rows.templates).map((row) =>
      exportTemplate(row, schedules.get(row.id) ?? [], names, usernames, format)
    ),
    integrations: rows.integrations.map((row) => exportIntegration(row, names)),
    workflows: rows.workflows.length > 0
      ? rows.workflows.map((row) => exportWorkflow(row, names, usernames))
      : null,
    runners: rows.runners.length > 0 ? rows.runners.map(exportRunner) : null,
    ...exportAlerts(rows, names),
    host_configs: exportGitCredentials(rows, names),
    toolchains: exportToolchains(rows, names),
    schedules: ofWorkflows.length > 0
      ? ofWorkflows.map((row) => ({
        ...exportSchedule(row, names),
        workflow: entryName(names.workflows, row.workflow_id),
      }))
      : null,
    integration_aliases: rows.aliases.map(({ text }) => text),
  });
}

/** Both names of the title are written, one for each version that reads it. */
function exportView(
  { id, project_id: _, ...row }: ViewRow,
  { views }: Names,
  usernames: ReadonlyMap<number, string>,
) {
  const name = views.get(id)!;
  return { ...name, ...row, ...exportAccessRule(row, usernames), title: name.name };
}

const exportRunner = (
  { name, description, labels, max_parallel_tasks, state, is_default }: ProjectRows["runners"][
    number
  ],
) => ({
  name,
  description,
  tags: labels,
  max_parallel_tasks,
  active: state === "active",
  ...is_default && { is_default },
});

function namesOf(rows: ProjectRows): Names {
  return {
    secret_storages: uniqueNames(rows.secret_storages),
    keys: uniqueNames(rows.keys),
    environments: uniqueNames(rows.environments),
    views: uniqueNames(rows.views.map(({ id, title }) => ({ id, name: title }))),
    repositories: uniqueNames(rows.repositories),
    inventories: uniqueNames(rows.inventories),
    templates: uniqueNames(rows.templates),
    workflows: uniqueNames(rows.workflows),
    alert_targets: uniqueNames(rows.alert_targets),
    toolchains: uniqueNames(rows.toolchains),
  };
}

function exportMeta({ project }: ProjectRows): BackupFile["meta"] {
  const { name, alert, alert_chat, max_parallel_tasks, type, retention = null } = project;
  const only_runners = project.only_runners || null;
  const authorities = project.host_authorities ?? [];
  const host_authorities = authorities.length > 0
    ? authorities.map(({ hosts, public_key }) => ({ hosts, public_key }))
    : null;
  return {
    name,
    alert,
    alert_chat,
    max_parallel_tasks,
    type,
    retention,
    only_runners,
    host_authorities,
  };
}

/**
 * Sorts templates so that those that others deploy come first. Older servers create them in the
 * file's order.
 */
function sourcesFirst(templates: TemplateRow[]): TemplateRow[] {
  const byId = new Map(templates.map((row) => [row.id, row]));
  const ordered = new Set<TemplateRow>();
  const add = (row: TemplateRow) => {
    if (ordered.has(row)) return;
    if (row.build_template_id !== null) add(byId.get(row.build_template_id)!);
    ordered.add(row);
  };
  templates.forEach(add);
  return [...ordered];
}

/**
 * Removes members that are null at every depth, except inside values that people wrote themselves.
 */
function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null)
    .map(([name, member]) => [name, AS_WRITTEN.has(name) ? member : withoutNulls(member)]);
  return Object.fromEntries(kept) as T;
}

const AS_WRITTEN = new Set(["task_params", "survey_vars", "notes"]);

function exportTemplate(
  row: TemplateRow,
  own: ScheduleRow[],
  names: Names,
  usernames: ReadonlyMap<number, string>,
  format: BackupFormat,
): NonNullable<BackupFile["templates"]>[number] {
  const clock = own.find(({ type, active }) => type === "" && active);
  const vaults = row.vaults.map(({ vault_key_id, name }) => ({
    name,
    vault_key: entryName(names.keys, vault_key_id),
  }));
  return {
    ...names.templates.get(row.id)!,
    ...exportAccessRule(row, usernames),
    description: row.description,
    start_warning: row.start_warning || null,
    playbook: row.playbook,
    working_directory: row.working_directory || null,
    keep_paths: row.keep_paths,
    type: row.type,
    app: row.app,
    inventory: entryName(names.inventories, row.inventory_id),
    repository: entryName(names.repositories, row.repository_id),
    environment: entryName(names.environments, row.environment_id),
    // Omitted unless the template has several environments, which few have.
    environments: row.more_environment_ids.length
      ? environmentIds(row).map((id) => entryName(names.environments, id)!)
      : null,
    view: entryName(names.views, row.view_id),
    vault_key: vaults[0]?.vault_key ?? null,
    vaults,
    ssh_keys: exportKeys(row.ssh_keys, names),
    start_version: row.start_version,
    build_template: entryName(names.templates, row.build_template_id),
    autorun: row.autorun,
    survey_vars: format === "2.9" ? JSON.stringify(row.survey_vars) : row.survey_vars,
    arguments: row.arguments,
    allow_override_args_in_task: row.allow_override_args_in_task,
    allow_override_branch_in_task: row.allow_override_branch_in_task || null,
    suppress_success_alerts: row.suppress_success_alerts,
    suppress_error_alerts: row.suppress_error_alerts || null,
    muted: row.muted || null,
    suppress_full_results: row.suppress_full_results || null,
    require_confirmation: row.require_confirmation,
    preview_first: row.preview_first || null,
    preview_end_unchanged: row.preview_end_unchanged || null,
    approval: row.approval ? exportRule(row.approval, usernames) : null,
    allow_parallel_tasks: row.allow_parallel_tasks,
    retry_attempts: row.retry_attempts || null,
    retry_minutes: row.retry_minutes || null,
    check_cron: row.check_cron || null,
    check_after_commit: row.check_after_commit || null,
    task_identity: row.task_identity || null,
    task_identity_audience: row.task_identity_audience || null,
    own_key: row.own_key || null,
    ask_ssh_password: row.ask_ssh_password || null,
    ask_become_password: row.ask_become_password || null,
    ask_vault_password: row.ask_vault_password || null,
    auto_fix: row.auto_fix,
    git_branch: row.git_branch,
    toolchain: toolchainName(names, row),
    task_params: row.task_params,
    runner_tag: runnerTagOf(row),
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
    ...row.offset_days && { offset_days: row.offset_days },
    run_at: row.run_at,
    delete_after_run: row.delete_after_run,
    active: row.active,
    repository: entryName(names.repositories, row.repository_id),
    missed: row.missed,
    if_waiting: row.if_waiting,
    check: row.check,
    task_params,
    inventory,
  };
}

function exportIntegration(row: IntegrationRow, names: Names) {
  const { inventory, task_params } = portableParams(row.task_params, names);
  return {
    name: row.name,
    template: entryName(names.templates, row.template_id),
    workflow: entryName(names.workflows, row.workflow_id),
    auth_method: row.auth_method,
    auth_header: row.auth_header,
    auth_secret: entryName(names.keys, row.auth_secret_id),
    searchable: row.searchable,
    keep_bodies: row.keep_bodies,
    if_waiting: row.if_waiting,
    task_params,
    inventory,
    matchers: row.matchers.map(({ id: _, ...matcher }) => matcher),
    extract_values: row.values.map(({ id: _, ...value }) => value),
    aliases: row.aliases.map(({ text }) => text),
  };
}
