import { z } from "zod";
import { ENTRIES_MAX, flag, listOf, number, params, text } from "./file_fields.ts";

/** What others refer to by its name, which is therefore unique in the file. */
const named = { name: z.string("errors.required"), original_name: text };

const keyEntry = z.object({ ...named, type: z.string("errors.required") });

const environmentEntry = z.object({
  ...named,
  json: text,
  env: text,
  /** Only what they are called: values are not in a backup. */
  secrets: listOf(z.object({ type: z.string(), name: z.string() })),
});

const viewEntry = z.object({
  /** `title`, and what it was called before 2.10. */
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
  /** Of entries in a list of their own. */
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
  /** What Semaphore calls it since 2.11. */
  checkable_repository: text,
  missed: text,
  task_params: params,
  /** The inventory that its runs use instead of the template's. */
  inventory: text,
});

const vaultEntry = z.object({
  name: text,
  /** A password, or a script that prints one, which is not to be had here. */
  type: z.literal(["", "password"], "errors.restore.vault_type").nullish(),
  /** Null for a vault that is only a name. */
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
  /** What Semaphore writes since 2.16 instead of `environment`; here where there are several. */
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
  /** All that Semaphore up to 2.10 tells of a schedule; our files have `schedules` beside it. */
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
  /** The inventory that its runs use instead of the template's. */
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
  /** As Semaphore writes them since 2.11; ours are at their templates. */
  schedules: z.array(scheduleEntry).max(ENTRIES_MAX, "errors.too_long").nullish(),
  /** Addresses that reach all searchable integrations. */
  integration_aliases: listOf(z.string()),
};

/** The lists of a file, and what each of their entries must be. */
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
