import * as z from "zod";
import { staysInside } from "../execution/git/url.ts";
import { hasControl } from "../base/text/control.ts";
import {
  flagField,
  idField,
  nameField,
  optionalIdField,
  optionalTextField,
  preservedField,
  saidIdField,
  unsupportedField,
} from "../base/fields.ts";
import { runnerTagField } from "../base/text/labels.ts";
import { branchField } from "../execution/ansible/results/fields.ts";
import { accessRuleFields, accessRuleViews } from "../access/rules/schema.ts";
import { approvalRuleField, approvalRuleSchema } from "../approvals/schema.ts";
import { keepPathsField } from "../resources/common/keep_paths.ts";
import { keyListFields, keyListViews } from "../resources/common/key_list.ts";
import { TASK_ATTEMPTS_MAX } from "../tasks/attempts.ts";
import { askingFields, askingView } from "../tasks/personal.ts";
import { taskSchema } from "../tasks/schema.ts";
import { argumentsText } from "../tasks/start_form.ts";
import type { TemplateHead, TemplateType } from "../model/template_row.ts";
import type { ApprovalRule } from "../model/approval_rule.ts";
import { surveyField, type SurveyVar, surveyVarSchema } from "../surveys/schema.ts";
import { autoFixField, autoFixSchema } from "../drift/auto_fix.ts";
import { type TaskParams, templateParams, templateParamsView } from "./params.ts";
import { vault, VAULTS_MAX, vaultView } from "./vaults.ts";

/** Members of other clients that Callboard does not have. Tasks would run otherwise than asked. */
const refusedFields = {
  /** Other names of `runner_tag`. Tasks would run on other runners. */
  runner_tags: unsupportedField(
    z.array(z.string()).max(100, "errors.too_long"),
    "errors.templates.runner_tags",
  ),
  runner_tag_match_mode: z.literal(["", "all"], "errors.templates.runner_tag_match").nullish()
    .transform(() => undefined),
  executor_image: unsupportedField(z.string(), "errors.templates.executor_image"),
  /** Tasks would run on all hosts. The limit of a template is in its `task_params`. */
  limit: unsupportedField(
    z.union([z.string(), z.array(z.string()).max(100, "errors.too_long")]),
    "errors.templates.limit",
  ),
};

const TEMPLATE_TYPES = ["", "build", "deploy"] as const satisfies readonly TemplateType[];

/** Programs that run a template. Clients that only know Ansible send an empty text. */
const APPS = ["ansible", ""] as const;

const ENVIRONMENTS_MAX = 20;

export const RETRY_ATTEMPTS_MAX = TASK_ATTEMPTS_MAX - 1;
export const RETRY_MINUTES_MAX = 1440; // a day

const countField = (max: number) =>
  z.int("errors.integer").min(0, "errors.invalid").max(max, "errors.invalid");

/** Maximum number of characters of the receiver that a task's identity is for. */
const AUDIENCE_MAX = 500;

/** Maximum number of characters of a warning, so that it leaves room for the form below. */
export const START_WARNING_MAX = 500;

/** Columns that lists of templates can be sorted by. */
export const TEMPLATE_COLUMNS = [
  "name",
  "playbook",
  "type",
  "inventory",
  "environment",
  "repository",
] as const;

/** Columns that a page with templates can be sorted by: those, and two of the last tasks. */
export const LIST_COLUMNS = [...TEMPLATE_COLUMNS, "status", "last_task", "version"] as const;

/** The form of a template. Messages are locale keys, never sentences. */
export const templateForm = z.object({
  name: nameField,
  description: optionalTextField(10_000),
  /** Shown to people who are about to start a task. */
  start_warning: z.string().trim().max(START_WARNING_MAX, "errors.too_long").nullish()
    .transform((value) => value ?? null),
  playbook: z.string("errors.required").trim().min(1, "errors.required")
    .max(1000, "errors.too_long")
    .refine((path) => path === "" || staysInside(path), "errors.templates.playbook_outside"),
  /** Folder of the repository in which runs start. Empty or null for its root. */
  working_directory: z.string().trim().max(1000, "errors.too_long")
    .refine(
      (path) => path === "" || staysInside(path),
      "errors.templates.working_directory_outside",
    ).nullish().transform((value) => value ?? null),
  keep_paths: keepPathsField,
  type: z.enum(TEMPLATE_TYPES, "errors.unknown_type").nullish().transform((value) => value ?? ""),
  /** Stored as it was sent, because some clients cannot show a name that they never sent. */
  app: z.enum(APPS, "errors.templates.app").nullish().transform((value) => value ?? ""),
  inventory_id: idField,
  repository_id: idField,
  /** Sent by older clients for one environment or vault password. See `chooseItems`. */
  environment_id: saidIdField,
  environment_ids: z.array(z.int().min(0, "errors.invalid"))
    .max(ENVIRONMENTS_MAX, "errors.too_long").nullish()
    .transform((ids) => ids && [...new Set(ids)].filter((id) => id !== 0)),
  vault_key_id: saidIdField,
  vaults: z.array(vault).max(VAULTS_MAX, "errors.too_long").nullish(),
  /** Keys that are offered to hosts before those of the inventory. */
  ...keyListFields,
  view_id: optionalIdField,
  start_version: z.string().trim().max(100, "errors.too_long")
    .refine((version) => !hasControl(version), "errors.control_characters").nullish()
    .transform((value) => value ?? null),
  build_template_id: optionalIdField,
  autorun: flagField,
  survey_vars: surveyField,
  arguments: argumentsText,
  allow_override_args_in_task: flagField,
  /** The same as `task_params.allow_override_branch`, sent by other clients. */
  allow_override_branch_in_task: flagField,
  suppress_success_alerts: flagField,
  suppress_error_alerts: flagField,
  /** Whether no rule sends alerts about its tasks. */
  muted: flagField,
  suppress_full_results: flagField,
  require_confirmation: flagField,
  preview_first: flagField,
  preview_end_unchanged: flagField,
  /** The rule of a confirmation; null for everyone who may run tasks. */
  approval: preservedField(approvalRuleField),
  allow_parallel_tasks: flagField,
  ...askingFields,
  /** Number of automatic retries of a failed task, and the minutes before each. */
  retry_attempts: preservedField(countField(RETRY_ATTEMPTS_MAX)),
  retry_minutes: preservedField(countField(RETRY_MINUTES_MAX)),
  /** Times of checks for drift: a cron format, or a nickname such as `@daily`. Empty for none. */
  check_cron: preservedField(z.string().trim().max(200, "errors.too_long")),
  /** Whether new commits of the template's branch are checked for drift. */
  check_after_commit: preservedField(z.boolean()),
  /** Whether tasks get an identity, and for which receiver; empty for this server's address. */
  task_identity: preservedField(z.boolean()),
  task_identity_audience: preservedField(
    z.string().trim().max(AUDIENCE_MAX, "errors.too_long")
      .refine((audience) => !hasControl(audience), "errors.control_characters"),
  ),
  /** Hosts and tags that checks may fix without a person; null for none. */
  auto_fix: preservedField(autoFixField),
  /** Empty or null for the branch of the repository. */
  git_branch: z.union([z.literal(""), branchField]),
  /** The Ansible of its tasks; null for that of the inventory, the project or the server. */
  toolchain_id: saidIdField,
  /** Labels of runners. One runner must have all of them. */
  runner_tag: runnerTagField,
  task_params: templateParams.nullish().transform((value) => value ?? null),
  ...accessRuleFields,
  ...refusedFields,
}).meta({
  example: {
    name: "Deploy shop",
    playbook: "deploy.yml",
    type: "",
    inventory_id: 1,
    repository_id: 1,
    environment_id: 1,
    survey_vars: [
      { name: "host", title: "Host", description: "Where to", type: "", required: true },
    ],
    arguments: '["--diff"]',
    task_params: { limit: ["web"], allow_override_limit: true },
  },
});
export type TemplateForm = z.output<typeof templateForm>;

export const descriptionForm = templateForm.pick({ description: true }).meta({
  example: { description: "Restarts the shop" },
});

export const templateSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  /** Text for people who are about to start a task; null for none. */
  start_warning: z.string().nullable(),
  playbook: z.string(),
  /** Folder of the repository in which runs start; null for its root. */
  working_directory: z.string().nullable(),
  /** Paths in the checkout whose files are kept between runs, one in each line; null for none. */
  keep_paths: z.string().nullable(),
  type: z.enum(TEMPLATE_TYPES),
  app: z.enum(APPS),
  /** Null only after restoring a backup without an inventory. */
  inventory_id: z.int().nullable(),
  repository_id: z.int(),
  /** The first of `environment_ids`, for clients that only know one. */
  environment_id: z.int().nullable(),
  /** Environments whose variables tasks get. If several have a variable, the last one wins. */
  environment_ids: z.array(z.int()),
  /** The key of the first of `vaults`, for clients that only know one. */
  vault_key_id: z.int().nullable(),
  vaults: z.array(vaultView),
  ...keyListViews,
  view_id: z.int().nullable(),
  start_version: z.string().nullable(),
  build_template_id: z.int().nullable(),
  autorun: z.boolean(),
  survey_vars: z.array(surveyVarSchema),
  /** JSON text of an array of strings. */
  arguments: z.string().nullable(),
  allow_override_args_in_task: z.boolean(),
  allow_override_branch_in_task: z.boolean(),
  suppress_success_alerts: z.boolean(),
  suppress_error_alerts: z.boolean(),
  muted: z.boolean(),
  suppress_full_results: z.boolean(),
  require_confirmation: z.boolean(),
  preview_first: z.boolean(),
  preview_end_unchanged: z.boolean(),
  /** The rule of a confirmation; null for everyone who may run tasks. */
  approval: approvalRuleSchema.nullable(),
  allow_parallel_tasks: z.boolean(),
  ...askingView,
  /** Number of times that a failed task is repeated on its failed hosts; 0 for never. */
  retry_attempts: z.int(),
  /** Minutes between the end of an attempt and the next one. */
  retry_minutes: z.int(),
  /** Times of checks for drift; null for none. */
  check_cron: z.string().nullable(),
  /** Whether each new commit is checked for drift. */
  check_after_commit: z.boolean(),
  /** Whether tasks get an identity that others can verify, in `CALLBOARD_ID_TOKEN`. */
  task_identity: z.boolean(),
  /** The receiver that it is for; empty for the address of the server. */
  task_identity_audience: z.string(),
  auto_fix: autoFixSchema.nullable(),
  git_branch: z.string().nullable(),
  toolchain_id: z.int().nullable(),
  /** Labels of runners, joined by commas; null for none. */
  runner_tag: z.string().nullable(),
  task_params: templateParamsView.nullable(),
  ...accessRuleViews,
  /** Number of tasks that were ever started, including deleted ones. */
  tasks: z.int(),
  last_task: taskSchema.nullable(),
  last_task_id: z.int().nullable(),
});
/** A template as the API returns it. */
export type TemplateView = z.output<typeof templateSchema>;

/** A stored template. */
export interface TemplateRow extends TemplateHead {
  description: string | null;
  /** JSON text of an array of strings. */
  arguments: string | null;
  survey_vars: SurveyVar[];
  task_params: TaskParams | null;
}

/** Returns the version that a build counts from. An empty one is as it was sent. */
export const startVersionOf = (
  { type, start_version }: { type?: string | null; start_version?: string | null },
): string | null => type === "build" || start_version === "" ? start_version ?? null : null;

/** All environments of a template, first to last. */
export const environmentIds = (
  { environment_id, more_environment_ids }: Pick<
    TemplateRow,
    "environment_id" | "more_environment_ids"
  >,
): number[] => environment_id === null ? [] : [environment_id, ...more_environment_ids];

/**
 * The rule of a template's confirmation: the sent one, or the stored one if none was sent. Tasks
 * that no one confirms have no use for it.
 */
export function storedApproval(
  { require_confirmation, preview_first, approval }: Pick<
    TemplateForm,
    "require_confirmation" | "preview_first" | "approval"
  >,
  stored: ApprovalRule | null = null,
): ApprovalRule | null {
  if (!require_confirmation && !preview_first) return null;
  return approval === undefined ? stored : approval;
}
