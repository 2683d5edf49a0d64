import * as z from "zod";
import { hasControl, hasNul } from "../base/text/control.ts";
import { invalidField } from "../base/errors.ts";
import { flagField, isShVariable, limitBytes, VARIABLE_NAME } from "../base/fields.ts";
import { staysInside } from "../execution/git/url.ts";
import {
  type AnswerProblem,
  answerProblem,
  answerType,
  CHOICE_SOURCES,
  CHOICES_MAX,
  listOf,
} from "./answer_types.ts";

const SURVEY_TARGETS = ["", "env"] as const;

const PATH_MAX = 1000;
const URL_MAX = 2000;

const text = (max: number) =>
  z.string().max(max, "errors.too_long").nullish().transform((value) => value ?? "");

const choice = z.object({
  name: text(500),
  value: z.string("errors.required").min(1, "errors.templates.survey_empty_value")
    .max(4096, "errors.too_long").refine((value) => !hasNul(value), "errors.nul"),
}).transform(({ name, value }) => ({ name: name || value, value }));

/** Source of choices. Members that its kind does not use are dropped. */
const choicesFrom = z.object({
  source: z.enum(["", ...CHOICE_SOURCES], "errors.unknown_type").nullish(),
  path: text(PATH_MAX),
  url: text(URL_MAX),
  key: text(500),
  by: text(100),
}).nullish().transform((from, ctx): ChoicesFrom | null | undefined => {
  if (from === undefined) return undefined;
  if (!from?.source) return null;
  const { source, path, url, key, by } = from;
  if (source === "hosts" || source === "groups") return { source };
  const wrong = (field: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [field], message });
  if (source === "file") {
    if (path.trim() === "") wrong("path", "errors.required");
    else if (hasControl(path) || !staysInside(path.trim())) {
      wrong("path", "errors.inventories.path_outside");
    }
  } else if (!isPlainUrl(url)) wrong("url", "errors.templates.survey_url");
  return {
    source,
    ...source === "file" ? { path: path.trim() } : { url: url.trim() },
    ...key.trim() !== "" && { key: key.trim() },
    ...by.trim() !== "" && { by: by.trim() },
  };
});

/** Whether a text is an HTTP address without credentials. */
function isPlainUrl(text: string): boolean {
  const url = URL.parse(text.trim());
  return /^https?:$/.test(url?.protocol ?? "") && !url!.username && !url!.password;
}

/** Condition on an earlier answer. One without a name is none. */
const onlyIf = z.object({
  name: text(100),
  values: z.array(z.string().max(4096, "errors.too_long")).max(100, "errors.too_long").nullish(),
}).nullish().transform((condition, ctx): OnlyIf | null | undefined => {
  if (condition === undefined) return undefined;
  if (!condition?.name.trim()) return null;
  const values = [...new Set(condition.values ?? [])].filter((value) => value !== "");
  if (values.length === 0) {
    ctx.addIssue({ code: "custom", path: ["values"], message: "errors.required" });
  }
  return { name: condition.name.trim(), values };
});

/** One default, or several for a question with several answers. */
const defaultValue = z.union([
  z.string().max(4096, "errors.too_long"),
  z.array(z.string().max(4096, "errors.too_long")).max(CHOICES_MAX, "errors.too_long"),
]).nullish().transform((value) => value ?? "");

const DEFAULT_PROBLEMS: Record<AnswerProblem, string> = {
  nul: "errors.nul",
  text: "errors.text_or_number",
  integer: "errors.integer",
  choice: "errors.templates.survey_default",
  list: "errors.templates.survey_default",
};

const NO_VALUES = "errors.templates.survey_no_values";
const hasChoices = (type: string): boolean => ["enum", "select"].includes(answerType(type));

const question = z.object({
  name: z.string("errors.required").trim().min(1, "errors.required").max(100, "errors.too_long")
    .regex(VARIABLE_NAME, "errors.templates.survey_name"),
  title: z.string("errors.required").trim().min(1, "errors.required").max(500, "errors.too_long"),
  description: text(4096),
  /** Stored as it was sent. See `answerType`. */
  type: z.string().max(50, "errors.too_long")
    .refine((type) => !hasControl(type), "errors.control_characters")
    .nullish().transform((value) => value ?? ""),
  required: flagField,
  /** The choices of an `enum` or `select`, unless `choices_from` has them. */
  values: z.array(choice).max(CHOICES_MAX, "errors.too_long").nullish(),
  /** Target of the answer: an extra variable, or with `env` a variable of the process. */
  target: z.enum(SURVEY_TARGETS, "errors.unknown_type").nullish().transform((value) => value ?? ""),
  default_value: defaultValue,
  choices_from: choicesFrom,
  only_if: onlyIf,
}).superRefine(({ name, type, values, target, default_value, choices_from }, ctx) => {
  const wrong = (field: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [field], message });
  if (target === "env" && name && isShVariable(name)) wrong("name", "errors.shell_variable");
  const choices = values ?? [];
  const isListed = hasChoices(type) && !choices_from;
  // Only `storedSurvey` knows whether the choices come from a source that the client omits.
  const isOpen = choices_from === undefined && choices.length === 0;
  if (isListed && choices.length === 0 && !isOpen) wrong("values", NO_VALUES);
  if (new Set(choices.map(({ value }) => value)).size < choices.length) {
    wrong("values", "errors.templates.survey_same_value");
  }
  if (default_value.length === 0) return;
  const problem = answerProblem(type, isListed && !isOpen ? choices : null, default_value);
  if (problem) wrong("default_value", DEFAULT_PROBLEMS[problem]);
  if (type === "secret") wrong("default_value", "errors.templates.survey_secret_default");
}, {
  // Reported together with a missing title or name.
  when: ({ value, issues }) =>
    typeof value === "object" && value !== null &&
    issues.every(({ path }) => path?.[0] === "title" || path?.[0] === "name"),
}).transform(({ choices_from, only_if, default_value, ...asked }): SentVar => {
  const type = answerType(asked.type);
  const values = hasChoices(type) ? asked.values ?? [] : [];
  const offered = new Set(values.map(({ value }) => value));
  return {
    ...asked,
    values,
    default_value: type === "select" ? listOf(default_value, offered) ?? [] : one(default_value),
    choices_from: hasChoices(type) ? choices_from : null,
    only_if,
  };
});

const one = (value: string | string[]): string => [value].flat()[0] ?? "";

/** The questions of a survey in requests. Their names are unique. */
export const surveyField = z.array(question).max(100, "errors.too_long").nullish()
  .transform((value) => value ?? [])
  .superRefine(limitBytes)
  .superRefine((survey, ctx) => {
    const seen = new Map<string, string>();
    const wrong = (path: (string | number)[], message: string) =>
      ctx.addIssue({ code: "custom", path, message });
    for (const [n, { name, type, choices_from, only_if }] of survey.entries()) {
      const isEarlier = (other: string) => seen.has(other) && seen.get(other) !== "secret";
      if (seen.has(name)) wrong([n, "name"], "errors.templates.survey_same_name");
      if (only_if && !isEarlier(only_if.name)) {
        wrong([n, "only_if", "name"], "errors.templates.survey_earlier");
      }
      if (choices_from?.by && !isEarlier(choices_from.by)) {
        wrong([n, "choices_from", "by"], "errors.templates.survey_earlier");
      }
      seen.set(name, type);
    }
  });

interface ChoicesFrom {
  source: typeof CHOICE_SOURCES[number];
  /** Path in the template's repository, for a `file`. */
  path?: string;
  url?: string;
  /** Names of members that lead to the choices, joined by dots. */
  key?: string;
  /** Name of an earlier question. Its answer is the last member that leads to the choices. */
  by?: string;
}

interface OnlyIf {
  /** Name of an earlier question. */
  name: string;
  /** The question is asked if the earlier answer is one of these. */
  values: string[];
}

const listedChoices = z.array(
  z.object({ name: z.string(), value: z.string() }).meta({ name: "Choice" }),
);

/** The current choices of a question. */
export const questionChoicesSchema = z.object({
  /** Name of the question. */
  name: z.string(),
  /** Null if they depend on an earlier answer, or are not available. */
  choices: listedChoices.nullable(),
  /** Choices by the answer to an earlier question; null if they do not depend on one. */
  choices_by_answer: z.record(z.string(), listedChoices).nullable(),
  /** Time at which they were loaded; null if just now, or if the template lists them. */
  as_of: z.string().nullable(),
}).meta({ name: "QuestionChoices" });

/** One question, as it is stored and returned. The last two members are left out if not set. */
export const surveyVarSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** See `answerType`. */
  type: z.string(),
  required: z.boolean(),
  values: listedChoices,
  target: z.enum(SURVEY_TARGETS),
  /** A list for the type `select`. */
  default_value: z.union([z.string(), z.array(z.string())]),
  choices_from: z.object({
    source: z.enum(CHOICE_SOURCES),
    path: z.string().optional(),
    url: z.string().optional(),
    key: z.string().optional(),
    by: z.string().optional(),
  }).optional(),
  only_if: z.object({ name: z.string(), values: z.array(z.string()) }).optional(),
}).meta({ name: "SurveyVar" });
export type SurveyVar = z.output<typeof surveyVarSchema>;

/** A question of a request. Members that only Callboard has are undefined if they were not sent. */
type SentVar = Omit<SurveyVar, "choices_from" | "only_if"> & {
  choices_from?: ChoicesFrom | null;
  only_if?: OnlyIf | null;
};

/**
 * Returns a survey as it is stored. Clients that do not know the sources and conditions of choices
 * omit them, and questions with the same name and type keep them. Throws 400 for a question that
 * has neither choices nor a source.
 */
export const storedSurvey = (sent: SentVar[], stored: readonly SurveyVar[] = []): SurveyVar[] =>
  sent.map(({ choices_from, only_if, ...asked }, n) => {
    const before = stored.find(({ name, type }) => name === asked.name && type === asked.type);
    const from = choices_from === undefined ? before?.choices_from : choices_from;
    const condition = only_if === undefined ? before?.only_if : only_if;
    if (hasChoices(asked.type) && !from && asked.values.length === 0) {
      throw invalidField(`survey_vars.${n}.values`, NO_VALUES);
    }
    return { ...asked, ...from && { choices_from: from }, ...condition && { only_if: condition } };
  });
