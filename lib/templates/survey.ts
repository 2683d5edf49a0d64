import * as z from "zod";
import { hasNul } from "../base/control.ts";
import { flagField, isShVariable, limitBytes, VARIABLE_NAME } from "../base/fields.ts";

/** A problem with a text as the answer to a question. */
export type AnswerProblem = "nul" | "integer" | "choice";

/** The type of a question's answers. Clients have two names for two of the types. */
export const answerType = (type: string): string =>
  type === "string" ? "" : type === "integer" ? "int" : type;

interface Question {
  type: string;
  values: { value: string }[];
}

/** Checks an answer or a default value. The same rule applies to both. */
export function answerProblem({ type, values }: Question, text: string): AnswerProblem | null {
  if (hasNul(text)) return "nul";
  if (answerType(type) === "int") {
    return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? null : "integer";
  }
  if (type === "enum") return values.some(({ value }) => value === text) ? null : "choice";
  return null;
}

/** The four types of answers, and other names that clients use for two of them. */
const SURVEY_TYPES = ["", "int", "enum", "secret", "string", "integer"] as const;
const SURVEY_TARGETS = ["", "env"] as const;

const text = (max: number) =>
  z.string().max(max, "errors.too_long").nullish().transform((value) => value ?? "");

const choice = z.object({
  name: text(500),
  value: z.string("errors.required").min(1, "errors.templates.survey_empty_value")
    .max(4096, "errors.too_long").refine((value) => !hasNul(value), "errors.nul"),
}).transform(({ name, value }) => ({ name: name || value, value }));

const DEFAULT_PROBLEMS: Record<AnswerProblem, string> = {
  nul: "errors.nul",
  integer: "errors.integer",
  choice: "errors.templates.survey_default",
};

const question = z.object({
  name: z.string("errors.required").trim().min(1, "errors.required").max(100, "errors.too_long")
    .regex(VARIABLE_NAME, "errors.templates.survey_name"),
  title: z.string("errors.required").trim().min(1, "errors.required").max(500, "errors.too_long"),
  description: text(4096),
  /** Stored as it was sent. See `answerType`. */
  type: z.enum(SURVEY_TYPES, "errors.unknown_type").nullish().transform((value) => value ?? ""),
  required: flagField,
  /** The choices of an `enum`. */
  values: z.array(choice).max(500, "errors.too_long").nullish(),
  /** Target of the answer: an extra variable, or with `env` a variable of the process. */
  target: z.enum(SURVEY_TARGETS, "errors.unknown_type").nullish().transform((value) => value ?? ""),
  default_value: text(4096),
}).superRefine(({ name, type, values, target, default_value }, ctx) => {
  const wrong = (field: string, message: string) =>
    ctx.addIssue({ code: "custom", path: [field], message });
  if (target === "env" && name && isShVariable(name)) wrong("name", "errors.shell_variable");
  const choices = values ?? [];
  if (type === "enum" && choices.length === 0) wrong("values", "errors.templates.survey_no_values");
  if (new Set(choices.map(({ value }) => value)).size < choices.length) {
    wrong("values", "errors.templates.survey_same_value");
  }
  if (default_value === "") return;
  const problem = answerProblem({ type, values: choices }, default_value);
  if (problem) wrong("default_value", DEFAULT_PROBLEMS[problem]);
  if (type === "secret") wrong("default_value", "errors.templates.survey_secret_default");
}, {
  // Reported together with a missing title or name.
  when: ({ value, issues }) =>
    typeof value === "object" && value !== null &&
    issues.every(({ path }) => path?.[0] === "title" || path?.[0] === "name"),
}).transform((asked) => ({
  ...asked,
  values: asked.type === "enum" ? asked.values ?? [] : [],
}));

/** The questions of a template in requests. Their names are unique. */
export const surveyField = z.array(question).max(100, "errors.too_long").nullish()
  .transform((value) => value ?? [])
  .superRefine(limitBytes)
  .superRefine((survey, ctx) => {
    const seen = new Set<string>();
    for (const [n, { name }] of survey.entries()) {
      if (seen.has(name)) {
        ctx.addIssue({
          code: "custom",
          path: [n, "name"],
          message: "errors.templates.survey_same_name",
        });
      }
      seen.add(name);
    }
  });

/** One question, as it is stored and returned. */
export const surveyVarSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  type: z.enum(SURVEY_TYPES),
  required: z.boolean(),
  values: z.array(z.object({ name: z.string(), value: z.string() })),
  target: z.enum(SURVEY_TARGETS),
  default_value: z.string(),
});
export type SurveyVar = z.output<typeof surveyVarSchema>;
