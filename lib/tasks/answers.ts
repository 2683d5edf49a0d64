import { AppError, type Message } from "../errors.ts";
import type { SurveyVar } from "../templates/schema.ts";

/** Survey answers, split by where they go and what may be stored in clear. */
export interface Answers {
  open: Record<string, unknown>;
  secret: Record<string, string>;
}

/**
 * Checks answers against a template's survey, and fills in defaults.
 * Other variables than the survey's are refused unless `anyVariable`: who may only run tasks
 * must not set what the template does not offer.
 */
export function checkAnswers(
  survey: SurveyVar[],
  given: Record<string, unknown>,
  givenSecret: Record<string, unknown>,
  { anyVariable }: { anyVariable: boolean },
): Answers {
  const fields: Record<string, Message> = {};
  const answers: Answers = { open: {}, secret: {} };
  const asked = new Set(survey.map(({ name }) => name));
  for (const [name, value] of Object.entries({ ...given, ...givenSecret })) {
    if (asked.has(name)) continue;
    if (!anyVariable) fields[name] = { key: "errors.not_in_survey", params: { name } };
    else if (Object.hasOwn(givenSecret, name)) answers.secret[name] = String(value);
    else answers.open[name] = value;
  }
  for (const question of survey) {
    const { name, type } = question;
    const sent = Object.hasOwn(givenSecret, name) ? givenSecret[name] : given[name];
    const value = isBlank(sent) ? question.default_value || undefined : sent;
    const problem = value === undefined
      ? question.required
        ? { key: "errors.survey_required", params: { title: question.title } }
        : null
      : answerProblem(question, value);
    if (problem) fields[name] = problem;
    else if (value === undefined) continue;
    else if (type === "secret") answers.secret[name] = String(value);
    else answers.open[name] = type === "int" ? Number(value) : value;
  }
  const [first] = Object.values(fields);
  if (first) throw new AppError(400, first.key, first.params, { fields });
  return answers;
}

const isBlank = (value: unknown) => value === undefined || value === null || value === "";

function answerProblem({ type, title, values }: SurveyVar, value: unknown): Message | null {
  if (typeof value === "object") return { key: "errors.survey_text", params: { title } };
  const text = String(value);
  if (type === "int" && (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text)))) {
    return { key: "errors.survey_integer", params: { title } };
  }
  if (type === "enum" && !values.some((choice) => choice.value === text)) {
    return { key: "errors.survey_choice", params: { title } };
  }
  return null;
}
