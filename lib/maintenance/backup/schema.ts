import * as z from "zod";
import { listFilter, queryFlag } from "../../base/lists/list_query.ts";
import { sentenceOrTextSchema } from "../../base/sentence_or_text.ts";
import { HOST_AUTHORITIES_MAX } from "../../resources/known_hosts/authority_schema.ts";
import { projectRetention, projectSchema } from "../projects/schema.ts";
import { LISTS } from "./file_entries.ts";
import { flag, number, textField } from "./resource_entries.ts";

const meta = z.object({
  name: z.string("errors.required"),
  alert: flag,
  alert_chat: textField,
  max_parallel_tasks: number,
  type: textField,
  retention: projectRetention.nullish(),
  only_runners: flag,
  host_authorities: z.array(z.object({ hosts: z.string(), public_key: z.string() }))
    .max(HOST_AUTHORITIES_MAX, "errors.too_long").nullish(),
  toolchain: textField,
}, "errors.restore.no_backup");

/** A project's backup file, from Callboard or from Semaphore 2.9 to 2.19. References are names. */
export const backupSchema = z.object({
  /** Name of the program that wrote the file. */
  generator: textField,
  meta,
  ...LISTS,
}).meta({ name: "ProjectBackup" });
export type BackupFile = z.input<typeof backupSchema>;
export type ReadBackup = z.output<typeof backupSchema>;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * A backup file as it is sent. Entries of its lists that cannot be restored may have any form. An
 * Ansible collection sends the whole result of its backup, with the file as one of the members.
 */
export const sentBackup = z.preprocess(
  (sent) =>
    isObject(sent) && !("meta" in sent) && "backup" in sent && isObject(sent.backup)
      ? sent.backup
      : sent,
  z.looseObject({ meta }),
).meta({
  name: "ProjectBackupBody",
  example: {
    meta: { name: "Web shop", alert: false, max_parallel_tasks: 2, type: "" },
    keys: [{ name: "None", type: "none" }],
    environments: [{ name: "Staging", json: '{"region": "eu"}' }],
    views: [],
    repositories: [],
    inventories: [],
    templates: [],
    integrations: [],
    integration_aliases: [],
  },
});
export type SentBackup = z.output<typeof sentBackup>;

/** The lists of a file whose entries others refer to by name. */
export const BACKUP_KINDS = [
  "secret_storages",
  "keys",
  "environments",
  "views",
  "repositories",
  "inventories",
  "templates",
  "workflows",
  "alert_targets",
  "toolchains",
] as const;

/** Versions that can read the file. They differ only in the form of surveys. */
const BACKUP_FORMATS = ["2.10", "2.9"] as const;
export type BackupFormat = (typeof BACKUP_FORMATS)[number];
export const backupQuery = z.object({
  format: listFilter(z.enum(BACKUP_FORMATS), "errors.invalid").transform((format) =>
    format ?? "2.10"
  ).describe("Version of Semaphore that can read the file"),
});

export const restoreQuery = z.object({
  dry_run: queryFlag.describe("With `true`, nothing is created"),
  strict: queryFlag.describe("With `true`, an entry that cannot be restored is an error"),
});

/** Report of what a restore creates, or would create in a dry run. */
const restoreReport = z.object({
  /** Names by kind. */
  creates: z.record(z.string(), z.array(z.string())),
  /**
   * Secrets that must be typed in again: keys by name and type, secret variables of environments,
   * the logins in the addresses of repositories, and targets of alerts by name and kind.
   */
  secrets: z.array(z.object({
    kind: z.enum(["key", "environment", "repository", "alert_target", "secret_storage"]),
    name: z.string(),
    type: z.string(),
    variable: z.string().nullable(),
  })),
  /** Addresses that are in use here, or can be guessed too easily. Each is replaced. */
  new_aliases: z.array(z.object({
    /** Null for an address of the project. */
    integration: z.string().nullable(),
    alias: z.string(),
    new_alias: z.string(),
  })),
  /**
   * Entries that cannot be restored, entries that refer to them, and named approvers without an
   * account here. The reason is a sentence.
   */
  left_out: z.array(z.object({ kind: z.string(), name: z.string(), reason: sentenceOrTextSchema })),
  /**
   * Schedules that must be checked, because the file does not say whether they only check for
   * commits.
   */
  inactive_schedules: z.array(z.object({ template: z.string(), cron_format: z.string() })),
});
export type RestoreReport = z.output<typeof restoreReport>;

export const restoreAnswer = projectSchema.partial({ id: true, created: true }).extend({
  dry_run: z.boolean(),
  report: restoreReport,
}).meta({ name: "RestoredProject" });
export type RestoreAnswer = z.output<typeof restoreAnswer>;
