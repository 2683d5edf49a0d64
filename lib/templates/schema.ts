import { z } from "zod";
import { staysInside } from "../repositories/url.ts";
import { hasControl } from "../resources/control.ts";
import {
  flagField,
  idField,
  limitBytes,
  nameField,
  optionalIdField,
  optionalTextField,
} from "../resources/schema.ts";
import { branchField, checkLimit, checkTags } from "../tasks/run_fields.ts";
import { argumentsText, taskSchema } from "../tasks/schema.ts";
import { surveyField, surveyVarSchema } from "./survey.ts";

export type { SurveyVar } from "./survey.ts";

export const TEMPLATE_TYPES = ["", "build", "deploy"] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

export const VAULTS_MAX = 20;

/** What lists of templates can be sorted by. */
export const TEMPLATE_COLUMNS = [
  "name",
  "playbook",
  "type",
  "inventory",
  "environment",
  "repository",
] as const;

const words = z.array(z.string().min(1, "errors.required").max(500, "errors.too_long"))
  .max(200, "errors.too_long").nullish().transform((value) => value ?? undefined);
const may = z.boolean().nullish().transform((value) => value ?? undefined);

/** What runs begin with, and what a task may choose for itself. Other members are kept as sent. */
const taskParams = z.looseObject({
  limit: words.superRefine(checkLimit),
  tags: words.superRefine(checkTags),
  skip_tags: words.superRefine(checkTags),
  allow_override_limit: may,
  allow_override_tags: may,
  allow_override_skip_tags: may,
  allow_override_inventory: may,
  allow_override_branch: may,
  /** Another name of `allow_override_branch`. */
  allow_override_git_branch: may,
  allow_debug: may,
  skip_galaxy_install: may,
}).superRefine(limitBytes).transform((params) => ({
  ...params,
  allow_override_branch: params.allow_override_branch ?? params.allow_override_git_branch,
}));

const list = z.array(z.string()).optional();
const allowed = z.boolean().optional();
const taskParamsView = z.looseObject({
  limit: list,
  tags: list,
  skip_tags: list,
  allow_override_limit: allowed,
  allow_override_tags: allowed,
  allow_override_skip_tags: allowed,
  allow_override_inventory: allowed,
  allow_override_branch: allowed,
  allow_override_git_branch: allowed,
  allow_debug: allowed,
  skip_galaxy_install: allowed,
});
export type TaskParams = z.output<typeof taskParamsView>;

const vault = z.object({
  vault_key_id: idField,
  /** Ansible's label of the vault id; null for "default". */
  name: z.string().trim().max(100, "errors.too_long")
    .regex(/^[^@\s,]*$/, "errors.templates.vault_name")
    .refine((name) => !hasControl(name), "errors.control_characters").nullish()
    .transform((value) => value || null),
});
/** One vault password of a template. */
export type Vault = z.output<typeof vault>;

/** What a person may type. Messages are locale keys, never sentences. */
export const templateForm = z.object({
  name: nameField,
  description: optionalTextField(10_000),
  playbook: z.string("errors.required").trim().min(1, "errors.required")
    .max(1000, "errors.too_long")
    .refine((path) => path === "" || staysInside(path), "errors.templates.playbook_outside"),
  type: z.enum(TEMPLATE_TYPES, "errors.unknown_type").nullish().transform((value) => value ?? ""),
  app: z.enum(["ansible", ""], "errors.unknown_type").nullish(),
  inventory_id: idField,
  repository_id: idField,
  environment_id: optionalIdField,
  /** What older clients send for one vault password: see `chooseVaults`. */
  vault_key_id: optionalIdField,
  vaults: z.array(vault).max(VAULTS_MAX, "errors.too_long").nullish(),
  view_id: optionalIdField,
  start_version: z.string().trim().max(100, "errors.too_long")
    .refine((version) => !hasControl(version), "errors.control_characters").nullish()
    .transform((value) => value || null),
  build_template_id: optionalIdField,
  autorun: flagField,
  survey_vars: surveyField,
  arguments: argumentsText,
  allow_override_args_in_task: flagField,
  suppress_success_alerts: flagField,
  require_confirmation: flagField,
  allow_parallel_tasks: flagField,
  git_branch: branchField,
  task_params: taskParams.nullish().transform((value) => value ?? null),
}).superRefine(({ type, start_version, build_template_id }, ctx) => {
  const missing = (field: string) =>
    ctx.addIssue({ code: "custom", path: [field], message: "errors.required" });
  if (type === "build" && start_version === null) missing("start_version");
  if (type === "deploy" && build_template_id === null) missing("build_template_id");
});
export type TemplateForm = z.output<typeof templateForm>;

export const templateSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  playbook: z.string(),
  type: z.enum(TEMPLATE_TYPES),
  app: z.literal("ansible"),
  /** Null only after restoring a backup that had none. */
  inventory_id: z.int().nullable(),
  repository_id: z.int(),
  environment_id: z.int().nullable(),
  /** The key of the first of `vaults`, for clients that know only one. */
  vault_key_id: z.int().nullable(),
  vaults: z.array(z.object({
    id: z.int(),
    project_id: z.int(),
    template_id: z.int(),
    vault_key_id: z.int(),
    name: z.string().nullable(),
    type: z.literal("password"),
  })),
  view_id: z.int().nullable(),
  start_version: z.string().nullable(),
  build_template_id: z.int().nullable(),
  autorun: z.boolean(),
  survey_vars: z.array(surveyVarSchema),
  /** JSON text of an array of strings. */
  arguments: z.string().nullable(),
  allow_override_args_in_task: z.boolean(),
  suppress_success_alerts: z.boolean(),
  require_confirmation: z.boolean(),
  allow_parallel_tasks: z.boolean(),
  git_branch: z.string().nullable(),
  task_params: taskParamsView.nullable(),
  last_task: taskSchema.nullable(),
  last_task_id: z.int().nullable(),
}).meta({
  description:
    "Without a count of its tasks: retention and deletions would make it a number that " +
    "tells nothing. The tasks themselves are at templates/{templateId}/tasks.",
});
/** What the API answers. */
export type TemplateView = z.output<typeof templateSchema>;

/** What is stored. */
export interface TemplateRow
  extends Omit<TemplateView, "vault_key_id" | "vaults" | "last_task" | "last_task_id"> {
  vaults: Vault[];
}
