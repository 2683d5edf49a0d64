import { z } from "zod";
import { projectRetention, projectSchema } from "../projects/schema.ts";

/** Entries of one kind; more than any project has. */
export const ENTRIES_MAX = 5_000;

const text = z.string().nullish();
const flag = z.boolean().nullish();
const number = z.int().nullish();
const params = z.record(z.string(), z.unknown()).nullish();

/** Older servers write null for a list without entries, or leave it out. */
const listOf = <T extends z.ZodType>(entry: T) =>
  z.array(entry).max(ENTRIES_MAX, "errors.too_long").nullish().transform((value) => value ?? []);

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
  vault_key: z.string("errors.required"),
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
  require_confirmation: flag,
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

const lists = {
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

const meta = z.object({
  name: z.string("errors.required"),
  alert: flag,
  alert_chat: text,
  max_parallel_tasks: number,
  type: text,
  retention: projectRetention.nullish(),
}, "errors.restore.no_backup");

/** A project's backup file: ours, and those of Semaphore 2.9 to 2.19. References are names. */
export const backupSchema = z.object({
  /** Which program wrote the file. */
  generator: text,
  meta,
  ...lists,
});
export type BackupFile = z.input<typeof backupSchema>;
export type ReadBackup = z.output<typeof backupSchema>;

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
} as const satisfies Record<keyof typeof lists, z.ZodType>;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * A backup file as it is sent: what cannot be taken of its lists need not be anything known. An
 * Ansible collection sends the whole result of its backup, with the file as one of the members.
 */
export const sentBackup = z.preprocess(
  (sent) =>
    isObject(sent) && !("meta" in sent) && "backup" in sent && isObject(sent.backup)
      ? sent.backup
      : sent,
  z.looseObject({ meta }),
);
export type SentBackup = z.output<typeof sentBackup>;

/** The lists of a file whose entries others refer to by name. */
export const BACKUP_KINDS = [
  "keys",
  "environments",
  "views",
  "repositories",
  "inventories",
  "templates",
] as const;

/** Which server is to read the file: both know all of it but the form of surveys. */
const BACKUP_FORMATS = ["2.10", "2.9"] as const;
export type BackupFormat = (typeof BACKUP_FORMATS)[number];
export const backupQuery = z.object({
  format: z.enum(BACKUP_FORMATS, "errors.invalid").optional().default("2.10"),
});

export const restoreQuery = z.object({
  dry_run: z.stringbool("errors.boolean").meta({ type: "boolean" }).optional(),
  /** Refuses the whole file for one entry that cannot be taken. */
  strict: z.stringbool("errors.boolean").meta({ type: "boolean" }).optional(),
});

/** What a restore makes, or would make. */
const restoreReport = z.object({
  /** Names by kind. */
  creates: z.record(z.string(), z.array(z.string())),
  /** What must be typed in again: keys by name and type, and environments' secret variables. */
  secrets: z.array(z.object({
    kind: z.enum(["key", "environment"]),
    name: z.string(),
    type: z.string(),
    variable: z.string().nullable(),
  })),
  /** Addresses that are taken here, or too easily guessed: each becomes another one. */
  new_aliases: z.array(z.object({
    /** Null for an address of the project. */
    integration: z.string().nullable(),
    alias: z.string(),
    new_alias: z.string(),
  })),
  /** Entries that cannot be taken, and those that refer to them; the reason is a sentence. */
  left_out: z.array(z.object({ kind: z.string(), name: z.string(), reason: z.string() })),
  /** Schedules that wait to be looked at: the file does not say whether they only check commits. */
  inactive_schedules: z.array(z.object({ template: z.string(), cron_format: z.string() })),
});
export type RestoreReport = z.output<typeof restoreReport>;

export const restoreAnswer = projectSchema.partial({ id: true, created: true }).extend({
  dry_run: z.boolean(),
  report: restoreReport,
});
export type RestoreAnswer = z.output<typeof restoreAnswer>;
