import * as z from "zod";
import { limitBytes } from "../../base/fields.ts";
import {
  ENTRIES_MAX,
  entriesOf,
  environmentEntry,
  flag,
  gitCredentialEntry,
  inventoryEntry,
  keyEntry,
  named,
  number,
  params,
  repositoryEntry,
  secretStorageEntry,
  sshKeys,
  textField,
  toolchainEntry,
} from "./resource_entries.ts";

/** The rule of the API, with usernames. */
const ruleEntry = z.looseObject({
  roles: z.array(z.string()).nullish(),
  users: z.array(z.string().max(200, "errors.too_long")).nullish(),
}).nullish();

/** Roles and people, by username, who see, run or edit something. */
const audienceEntry = z.object({
  roles: z.array(z.string()).nullish(),
  users: z.array(z.string().max(200, "errors.too_long")).nullish(),
}).meta({ name: "ProjectBackupAudience" }).nullish();

const accessEntries = { visible_to: audienceEntry, run_by: audienceEntry, edit_by: audienceEntry };

const viewEntry = z.object({
  ...accessEntries,
  /** The name before 2.10; later `title`. */
  name: textField,
  title: textField,
  original_name: textField,
  position: number,
  hidden: flag,
  type: textField,
  sort_column: textField,
  sort_reverse: flag,
});

const scheduleEntry = z.object({
  /** Only in entries of the separate list. */
  template: textField,
  workflow: textField,
  name: textField,
  type: textField,
  cron_format: textField,
  timezone: textField,
  offset_days: number,
  run_at: textField,
  delete_after_run: flag,
  active: flag,
  /** Runs only for new commits of this repository. */
  repository: textField,
  /** Semaphore's name for it since 2.11. */
  checkable_repository: textField,
  missed: textField,
  if_waiting: textField,
  check: flag,
  task_params: params,
  /** Replaces the template's inventory in the schedule's tasks. */
  inventory: textField,
});

const vaultEntry = z.object({
  name: textField,
  /** Passwords only. Scripts that print a password are not supported. */
  type: z.literal(["", "password"], "errors.restore.vault_type").nullish(),
  /** Null for a vault that only has a name. */
  vault_key: textField,
}).refine(({ type, vault_key }) => !type || vault_key, {
  path: ["vault_key"],
  error: "errors.required",
});

const templateEntry = z.object({
  ...named,
  ...accessEntries,
  description: textField,
  start_warning: textField,
  playbook: z.string("errors.required"),
  working_directory: textField,
  keep_paths: textField,
  type: textField,
  app: textField,
  inventory: textField,
  repository: textField,
  environment: textField,
  /** Written by Semaphore since 2.16 instead of `environment`; by us only if there are several. */
  environments: z.array(z.string()).nullish(),
  view: textField,
  /** Up to 2.9 a template had one vault password. */
  vault_key: textField,
  vaults: entriesOf(vaultEntry),
  ssh_keys: sshKeys,
  start_version: textField,
  build_template: textField,
  autorun: flag,
  /** Up to 2.9 JSON text, since then a list. */
  survey_vars: z.union([z.string(), z.array(z.unknown())], "errors.invalid").nullish(),
  arguments: textField,
  allow_override_args_in_task: flag,
  allow_override_branch_in_task: flag,
  suppress_success_alerts: flag,
  suppress_error_alerts: flag,
  muted: flag,
  suppress_full_results: flag,
  require_confirmation: flag,
  preview_first: flag,
  preview_end_unchanged: flag,
  approval: ruleEntry,
  allow_parallel_tasks: flag,
  retry_attempts: z.number().nullish(),
  own_key: flag,
  ask_ssh_password: flag,
  ask_become_password: flag,
  ask_vault_password: flag,
  retry_minutes: z.number().nullish(),
  check_cron: textField,
  check_after_commit: flag,
  task_identity: flag,
  task_identity_audience: textField,
  auto_fix: z.unknown().optional(),
  git_branch: textField,
  toolchain: textField,
  task_params: params,
  runner_tag: textField,
  /**
   * The only information about a schedule up to Semaphore 2.10. Our files also have `schedules`.
   */
  cron: textField,
  schedules: z.array(scheduleEntry).nullish(),
});

const integrationEntry = z.object({
  name: textField,
  template: textField,
  workflow: textField,
  auth_method: textField,
  auth_header: textField,
  auth_secret: textField,
  searchable: flag,
  keep_bodies: flag,
  if_waiting: textField,
  task_params: params,
  /** Replaces the template's inventory in the integration's tasks. */
  inventory: textField,
  matchers: entriesOf(z.record(z.string(), z.unknown())),
  extract_values: entriesOf(z.record(z.string(), z.unknown())),
  aliases: entriesOf(z.string()),
});

/** A step, as the API has it, with names instead of ids. */
const stepEntry = z.looseObject({
  kind: textField,
  template: textField,
  workflow: textField,
  task_params: params,
  /** Replaces the template's inventory in the step's task. */
  inventory: textField,
  approval: ruleEntry,
});

const workflowEntry = z.object({
  ...named,
  ...accessEntries,
  description: textField,
  start_warning: textField,
  survey_vars: z.array(z.unknown()).nullish(),
  build_template: textField,
  steps: z.array(stepEntry).nullish(),
  /** Annotations of other clients' canvases. */
  notes: z.array(z.looseObject({ id: z.int(), kind: z.literal("note") })).nullish()
    .superRefine(limitBytes),
  /** Semaphore's form of the steps, with a template and `task_params.inventory_name` by name. */
  nodes: z.array(stepEntry).nullish(),
  edges: z.array(z.unknown()).nullish(),
});

/** A runner, which must be registered again, because its tokens belong to one server. */
const runnerEntry = z.object({
  name: textField,
  description: textField,
  tags: z.array(z.string()).nullish(),
  max_parallel_tasks: number,
  active: flag,
  is_default: flag,
});

/** A target of alerts without its secrets, and without the permission for private networks. */
const alertTargetEntry = z.object({
  ...named,
  kind: textField,
  language: textField,
  active: flag,
  settings: z.record(z.string(), z.string().max(8_000, "errors.too_long")).nullish(),
});

/** A rule for alerts, with names instead of ids. */
const alertRuleEntry = z.looseObject({
  name: textField,
  target: textField,
  /** A channel of the environment, instead of a target. */
  channel: textField,
  templates: entriesOf(z.string()),
  views: entriesOf(z.string()),
  workflows: entriesOf(z.string()),
});

export const LISTS = {
  secret_storages: z.array(secretStorageEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  keys: entriesOf(keyEntry),
  environments: entriesOf(environmentEntry),
  views: entriesOf(viewEntry),
  repositories: entriesOf(repositoryEntry),
  inventories: entriesOf(inventoryEntry),
  templates: entriesOf(templateEntry),
  integrations: entriesOf(integrationEntry),
  workflows: z.array(workflowEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  runners: z.array(runnerEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  alert_targets: z.array(alertTargetEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  alert_rules: z.array(alertRuleEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  /** Git credentials, by the name that newer clients of Semaphore know. */
  host_configs: z.array(gitCredentialEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  toolchains: z.array(toolchainEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  /**
   * Separate list, written by Semaphore since 2.11. Ours has the schedules of workflows. Those of
   * templates are inside their templates.
   */
  schedules: z.array(scheduleEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  /** Addresses that reach all searchable integrations. */
  integration_aliases: entriesOf(z.string()),
};

/** The lists of a file, each with the schema of its entries. */
export const ENTRY_SCHEMAS = {
  secret_storages: secretStorageEntry,
  keys: keyEntry,
  environments: environmentEntry,
  views: viewEntry,
  repositories: repositoryEntry,
  inventories: inventoryEntry,
  templates: templateEntry,
  integrations: integrationEntry,
  workflows: workflowEntry,
  runners: runnerEntry,
  alert_targets: alertTargetEntry,
  alert_rules: alertRuleEntry,
  host_configs: gitCredentialEntry,
  toolchains: toolchainEntry,
  schedules: scheduleEntry,
  integration_aliases: z.string(),
} as const satisfies Record<keyof typeof LISTS, z.ZodType>;
