import * as z from "zod";
import { limitBytes } from "../../base/fields.ts";
import { SSH_KEYS_MAX } from "../../resources/common/key_list.ts";

/** Maximum number of entries of one kind, which is more than any project has. */
export const ENTRIES_MAX = 5_000;

export const textField = z.string().nullish();
export const flag = z.boolean().nullish();
export const number = z.int().nullish();
const params = z.record(z.string(), z.unknown()).nullish();

/** Older servers write null for a list without entries, or leave it out. */
const listOf = <T extends z.ZodType>(entry: T) =>
  z.array(entry).max(ENTRIES_MAX, "errors.too_long").nullish().transform((value) => value ?? []);

/** Fields of entries that others refer to by name. The name is therefore unique in the file. */
const named = { name: z.string("errors.required"), original_name: textField };

const keyEntry = z.object({
  ...named,
  type: z.string("errors.required"),
  /** Public, unlike the rest of a key. */
  certificate: textField,
  /** As in the API, with the name of the jump host's key. */
  ssh_options: z.object({
    user: textField,
    port: number,
    jump: z.object({ host: textField, port: number, user: textField, key: textField }).nullish(),
  }).nullish(),
});

const environmentEntry = z.object({
  ...named,
  json: textField,
  env: textField,
  /** Names only: a backup holds no values. */
  secrets: listOf(z.object({ type: z.string(), name: z.string() })),
});

const viewEntry = z.object({
  /** The name before 2.10; later `title`. */
  name: textField,
  title: textField,
  original_name: textField,
  position: number,
});

const repositoryEntry = z.object({
  ...named,
  git_url: z.string("errors.required"),
  git_branch: textField,
  ssh_key: textField,
});

/**
 * Keys in the order in which they are offered, each with patterns for its hosts. Omitted for a
 * single key of an inventory for all hosts.
 */
const sshKeys = z.array(z.object({
  key: z.string("errors.required"),
  hosts: z.array(z.string()).nullish(),
})).max(SSH_KEYS_MAX, "errors.too_long").nullish();

const inventoryEntry = z.object({
  ...named,
  type: z.string("errors.required"),
  inventory: textField,
  ssh_key: textField,
  ssh_keys: sshKeys,
  become_key: textField,
  own_key: flag,
  repository: textField,
  runner_tag: textField,
});

const scheduleEntry = z.object({
  /** Only in entries of the separate list. */
  template: textField,
  workflow: textField,
  name: textField,
  type: textField,
  cron_format: textField,
  timezone: textField,
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

/** The rule of the API, with usernames. */
const ruleEntry = z.looseObject({
  roles: z.array(z.string()).nullish(),
  users: z.array(z.string().max(200, "errors.too_long")).nullish(),
}).nullish();

const templateEntry = z.object({
  ...named,
  description: textField,
  start_warning: textField,
  playbook: z.string("errors.required"),
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
  vaults: listOf(vaultEntry),
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
  matchers: listOf(z.record(z.string(), z.unknown())),
  extract_values: listOf(z.record(z.string(), z.unknown())),
  aliases: listOf(z.string()),
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
  templates: listOf(z.string()),
  views: listOf(z.string()),
  workflows: listOf(z.string()),
});

export const LISTS = {
  keys: listOf(keyEntry),
  environments: listOf(environmentEntry),
  views: listOf(viewEntry),
  repositories: listOf(repositoryEntry),
  inventories: listOf(inventoryEntry),
  templates: listOf(templateEntry),
  integrations: listOf(integrationEntry),
  workflows: z.array(workflowEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  runners: z.array(runnerEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  alert_targets: z.array(alertTargetEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  alert_rules: z.array(alertRuleEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  /**
   * Separate list, written by Semaphore since 2.11. Ours has the schedules of workflows. Those of
   * templates are inside their templates.
   */
  schedules: z.array(scheduleEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  /** Addresses that reach all searchable integrations. */
  integration_aliases: listOf(z.string()),
};

/** The lists of a file, each with the schema of its entries. */
export const ENTRY_SCHEMAS = {
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
  schedules: scheduleEntry,
  integration_aliases: z.string(),
} as const satisfies Record<keyof typeof LISTS, z.ZodType>;
