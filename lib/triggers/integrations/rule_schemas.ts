import * as z from "zod";
import { isOwnVariable } from "../../execution/ansible/own_variable.ts";
import { limitBytes, nameField, VARIABLE_NAME } from "../../base/fields.ts";
import { startTaskFields } from "../../tasks/start_form.ts";

/** Parts of a call that a matcher or extract value reads. */
export const SOURCES = ["body", "header"] as const;
export const BODY_TYPES = ["json", "string"] as const;
/** Targets of an extract value: a variable, or a field of the task, such as its limit. */
const VARIABLE_TYPES = ["environment", "task", ""] as const;

/** Fields of a task that a call may set. The template must allow them as for any other task. */
const TASK_TEXTS = ["limit", "tags", "skip_tags", "message", "git_branch"] as const;
const TASK_FLAGS = ["debug", "dry_run", "diff"] as const;
const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name);

export const isFlag = (name: string): boolean => isOneOf(TASK_FLAGS, name);
export const isTaskValue = (name: string): boolean => isOneOf(TASK_TEXTS, name) || isFlag(name);

/** Returns the flag that a text means; null for none. */
export const readFlag = (text: string): boolean | null =>
  /^(true|1|yes|on)$/i.test(text) ? true : /^(false|0|no|off)$/i.test(text) ? false : null;

export const isOfTask = ({ variable_type }: { variable_type?: string }): boolean =>
  variable_type === "task";

export const MATCH_METHODS = ["equals", "unequals", "contains"] as const;

export const MATCHERS_MAX = 50;

export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const required = (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null || issue.input === ""
    ? "errors.required"
    : "errors.unknown_type";

export const ruleText = (max: number) =>
  z.string().trim().max(max, "errors.too_long").nullish().transform((value) => value ?? "");

const whereFields = {
  body_data_type: z.enum([...BODY_TYPES, ""], "errors.unknown_type").nullish()
    .transform((value) => value ?? ""),
  key: ruleText(500),
};

interface Where {
  source: (typeof SOURCES)[number];
  body_data_type: string;
  key: string;
}

/** A header needs a name, and a JSON body a path. A body that is used as a whole needs neither. */
function validateWhere({ source, body_data_type, key }: Where, ctx: z.RefinementCtx) {
  const wrong = (field: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [field], message });
  if (source === "body" && body_data_type === "") wrong("body_data_type", "errors.required");
  if (key === "" && !(source === "body" && body_data_type === "string")) {
    wrong("key", "errors.required");
  }
  if (source === "header" && key !== "" && !HEADER_NAME.test(key)) {
    wrong("key", "errors.header_name");
  }
}

/** A default of a task's field must be valid for it. */
function validateDefault(
  { variable, variable_type, default_value }: {
    variable: string;
    variable_type?: string;
    default_value?: string;
  },
  ctx: z.RefinementCtx,
) {
  if (!isOfTask({ variable_type }) || !default_value) return;
  const wrong = (message: string) =>
    ctx.addIssue({ code: "custom", path: ["default_value"], message });
  if (isFlag(variable)) {
    if (readFlag(default_value) === null) wrong("errors.boolean");
  } else if (isOneOf(TASK_TEXTS, variable)) {
    const { error } = startTaskFields.shape[variable].safeParse(default_value);
    if (error) ctx.addIssue({ ...error.issues[0]!, path: ["default_value"], input: undefined });
    else if (default_value.trim() === "") wrong("errors.invalid");
  }
}

/** Examples for the document of the API. */
const matcher = {
  name: "Branch main",
  match_type: "body",
  body_data_type: "json",
  key: "ref",
  method: "equals",
  value: "refs/heads/main",
};
const extractValue = {
  name: "Commit",
  value_source: "body",
  body_data_type: "json",
  key: "head_commit.id",
  variable: "commit",
  default_value: "main",
};
export const matcherForm = z.object({
  name: nameField,
  match_type: z.enum(SOURCES, { error: required }),
  ...whereFields,
  method: z.enum(MATCH_METHODS, { error: required }),
  value: z.string("errors.required").min(1, "errors.required").max(4096, "errors.too_long"),
}).superRefine((form, ctx) => validateWhere({ ...form, source: form.match_type }, ctx))
  .transform((form) =>
    form.match_type === "header" ? { ...form, body_data_type: "" as const } : form
  ).meta({ example: matcher });
type MatcherForm = z.output<typeof matcherForm>;

export const extractValueForm = z.object({
  name: nameField,
  value_source: z.enum(SOURCES, { error: required }),
  ...whereFields,
  variable: z.string("errors.required").trim().min(1, "errors.required").max(100, "errors.too_long")
    .regex(VARIABLE_NAME, "errors.variable_name")
    .refine((name) => !isOwnVariable(name), "errors.extracted_own_variable"),
  variable_type: z.enum(VARIABLE_TYPES, "errors.unknown_type").nullish()
    .transform((value) => value ?? undefined),
  /** The value if a call has none, which only Callboard has. */
  default_value: z.string().max(4096, "errors.too_long").nullish()
    .transform((value) => value ?? undefined),
}).superRefine((form, ctx) => validateWhere({ ...form, source: form.value_source }, ctx))
  .superRefine(validateDefault)
  .transform((form) =>
    form.value_source === "header" ? { ...form, body_data_type: "" as const } : form
  ).meta({ example: extractValue });
type ExtractValueForm = z.output<typeof extractValueForm>;

/** Members of a change. Missing members stay. The resulting part must be valid for its form. */
const said = z.string().nullish();
export const matcherChange = z.object({
  name: said,
  match_type: said,
  body_data_type: said,
  key: said,
  method: said,
  value: said,
}).meta({ example: { ...matcher, method: "contains" } });
export const extractValueChange = z.object({
  name: said,
  value_source: said,
  body_data_type: said,
  key: said,
  variable: said,
  variable_type: said,
  default_value: said,
}).meta({ example: extractValue });

/** Whether a whole list fits into the chunks of a row. */
export const fitsList = (list: unknown): boolean =>
  z.unknown().superRefine(limitBytes).safeParse(list).success;

const where = { body_data_type: z.enum([...BODY_TYPES, ""]), key: z.string() };

export const matcherSchema = z.object({
  id: z.int(),
  integration_id: z.int(),
  name: z.string(),
  match_type: z.enum(SOURCES),
  ...where,
  method: z.enum(MATCH_METHODS),
  value: z.string(),
});
export type MatcherView = z.output<typeof matcherSchema>;

export const extractValueSchema = z.object({
  id: z.int(),
  integration_id: z.int(),
  name: z.string(),
  value_source: z.enum(SOURCES),
  ...where,
  variable: z.string(),
  /** Missing if it was not sent. It then means "environment". */
  variable_type: z.enum(VARIABLE_TYPES).optional(),
  /** The value if a call has none. Missing if it was not sent. */
  default_value: z.string().optional(),
});
export type ExtractValueView = z.output<typeof extractValueSchema>;

export type Matcher = Omit<MatcherView, "integration_id">;
export type ExtractValue = Omit<ExtractValueView, "integration_id">;
