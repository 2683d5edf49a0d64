import { z } from "zod";
import { ENTRIES_MAX, flag, listOf, number, params, text } from "./file_fields.ts";

/** Fields of entries that others refer to by name. The name is therefore unique in the file. */
const named = { name: z.string("errors.required"), original_name: text };

const keyEntry = z.object({ ...named, type: z.string("errors.required") });

const environmentEntry = z.object({
  ...named,
  json: text,
  env: text,
  /** Names only: a backup holds no values. */
  secrets: listOf(z.object({ type: z.string(), name: z.string() })),
});

const viewEntry = z.object({
  /** The name before 2.10; later `title`. */
  name: text,
  title: text,
  original_name: text,
  position: number,
});

const repositoryEntry = z.object({
  ...named,
  git_url: z.string("errors.required"),
  git_branch: text,
  ssh_key: text,
});

const inventoryEntry = z.object({
  ...named,
  type: z.string("errors.required"),
  inventory: text,
  ssh_key: text,
  become_key: text,
  repository: text,
});

const scheduleEntry = z.object({
  /** Only in entries of the separate list. */
  template: text,
  name: text,
  type: text,
  cron_format: text,
  timezone: text,
  run_at: text,
  delete_after_run: flag,
  active: flag,
  /** Runs only for new commits of this repository. */
  repository: text,
  /** Semaphore's name for it since 2.11. */
  checkable_repository: text,
  missed: text,
  task_params: params,
  /** Replaces the template's inventory in the schedule's tasks. */
  inventory: text,
});

const vaultEntry = z.object({
  name: text,
  /** Passwords only. Scripts that print a password are not supported. */
  type: z.literal(["", "password"], "errors.restore.vault_type").nullish(),
  /** Null for a vault that only has a name. */
  vault_key: text,
}).refine(({ type, vault_key }) => !type || vault_key, {
  path: ["vault_key"],
  error: "errors.required",
});

const templateEntry = z.object({
  ...named,
  description: text,
  playbook: z.string("errors.required"),
  type: text,
  app: text,
  inventory: text,
  repository: text,
  environment: text,
  /** Written by Semaphore since 2.16 instead of `environment`; by us only if there are several. */
  environments: z.array(z.string()).nullish(),
  view: text,
  /** Up to 2.9 a template had one vault password. */
  vault_key: text,
  vaults: listOf(vaultEntry),
  start_version: text,
  build_template: text,
  autorun: flag,
  /** Up to 2.9 JSON text, since then a list. */
  survey_vars: z.union([z.string(), z.array(z.unknown())], "errors.invalid").nullish(),
  arguments: text,
  allow_override_args_in_task: flag,
  allow_override_branch_in_task: flag,
  suppress_success_alerts: flag,
  suppress_full_results: flag,
  require_confirmation: flag,
  preview_first: flag,
  preview_end_unchanged: flag,
  allow_parallel_tasks: flag,
  git_branch: text,
  task_params: params,
  /**
   * The only information about a schedule up to Semaphore 2.10. Our files also have `schedules`.
   */
  cron: text,
  schedules: z.array(scheduleEntry).nullish(),
});

const integrationEntry = z.object({
  name: text,
  template: text,
  auth_method: text,
  auth_header: text,
  auth_secret: text,
  searchable: flag,
  keep_bodies: flag,
  task_params: params,
  /** Replaces the template's inventory in the integration's tasks. */
  inventory: text,
  matchers: listOf(z.record(z.string(), z.unknown())),
  extract_values: listOf(z.record(z.string(), z.unknown())),
  aliases: listOf(z.string()),
});

export const LISTS = {
  keys: listOf(keyEntry),
  environments: listOf(environmentEntry),
  views: listOf(viewEntry),
  repositories: listOf(repositoryEntry),
  inventories: listOf(inventoryEntry),
  templates: listOf(templateEntry),
  integrations: listOf(integrationEntry),
  /** Separate list, written by Semaphore since 2.11. Our schedules are inside their templates. */
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
  schedules: scheduleEntry,
  integration_aliases: z.string(),
} as const satisfies Record<keyof typeof LISTS, z.ZodType>;
