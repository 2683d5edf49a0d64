import { AppError, type Sentence } from "../base/errors.ts";
import { hasNul } from "../base/control.ts";
import { isOwnVariable } from "../execution/ansible/own_variable.ts";
import {
  type AnswerProblem,
  answerProblem,
  answerType,
  type SurveyVar,
} from "../templates/survey.ts";

/** Survey answers, separated by whether they may be stored in clear text. */
interface Answers {
  open: Record<string, unknown>;
  secret: Record<string, string>;
}

/**
 * Checks answers against a template's survey, and fills in defaults. Refuses variables that are not
 * in the survey unless the starter manages the project, because people who may only run tasks must
 * not set variables that the template does not offer.
 */
export function checkAnswers(
  survey: SurveyVar[],
  given: Record<string, unknown>,
  givenSecret: Record<string, unknown>,
  { manages }: { manages: boolean },
): Answers {
  const fields: Record<string, Sentence> = {};
  const answers: Answers = { open: {}, secret: {} };
  const asked = new Set(survey.map(({ name }) => name));
  for (const [name, value] of Object.entries({ ...given, ...givenSecret })) {
    if (asked.has(name)) continue;
    if (!manages) fields[name] = { key: "errors.not_in_survey", params: { name } };
    else if (hasNul(name)) fields[name] = { key: "errors.nul" };
    else if (!Object.hasOwn(givenSecret, name)) answers.open[name] = value;
    else if (typeof value === "object") {
      fields[name] = { key: "errors.survey_text", params: { title: name } };
    } else answers.secret[name] = String(value);
  }
  for (const question of survey) {
    const { name, type } = question;
    const sent = Object.hasOwn(givenSecret, name) ? givenSecret[name] : given[name];
    const value = isBlank(sent) ? question.default_value || undefined : sent;
    const problem = value === undefined
      ? question.required
        ? { key: "errors.survey_required", params: { title: question.title } }
        : null
      : messageOf(question, value, manages || isBlank(sent));
    if (problem) fields[name] = problem;
    else if (value === undefined) continue;
    else if (type === "secret") answers.secret[name] = String(value);
    else answers.open[name] = answerType(type) === "int" ? Number(value) : value;
  }
  const [first] = Object.values(fields);
  if (first) throw new AppError(400, first.key, first.params, { fields });
  return answers;
}

const isBlank = (value: unknown) => value === undefined || value === null || value === "";

const PROBLEMS: Record<AnswerProblem, string> = {
  nul: "errors.nul",
  integer: "errors.survey_integer",
  choice: "errors.survey_choice",
};

function messageOf(question: SurveyVar, value: unknown, isManagers: boolean): Sentence | null {
  const params = { title: question.title };
  if (typeof value === "object") return { key: "errors.survey_text", params };
  // ssh would take a host or login that begins with "-" as an option.
  if (!isManagers && isOwnVariable(question.name) && /^\s*-/.test(String(value))) {
    return { key: "errors.survey_option", params };
  }
  const problem = answerProblem(question, String(value));
  return problem && { key: PROBLEMS[problem], params };
}
