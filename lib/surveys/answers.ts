import { AppError, type Sentence } from "../base/errors.ts";
import { hasNul } from "../base/text/control.ts";
import { hasMembers, scalarText } from "../base/text/exact_json.ts";
import { isOwnVariable } from "../execution/ansible/own_variable.ts";
import {
  type AnswerProblem,
  answerProblem,
  answerType,
  type Choice,
  integerOf,
  listOf,
} from "./answer_types.ts";
import { type AskedQuestion, askedQuestions, type ChoiceLists, UNKNOWN } from "./choices.ts";
import type { SurveyVar } from "./schema.ts";

/** Survey answers, separated by whether they may be stored in clear text. */
interface Answers {
  open: Record<string, unknown>;
  secret: Record<string, string>;
}

/** Answers as they were sent, and what decides whether they are valid. */
interface SentAnswers {
  /** The current choices of questions whose choices come from elsewhere. */
  lists: ChoiceLists;
  given: Record<string, unknown>;
  givenSecret?: Record<string, unknown>;
  /** Whether they are from someone who manages the project. */
  manages: boolean;
}

/**
 * Checks answers against a survey, and fills in defaults: the one rule for forms, the API,
 * schedules and webhooks. An answer to a question that is not asked after the earlier answers is
 * dropped, because forms without a script and fixed values of schedules contain it. Refuses
 * variables that are not in the survey unless the starter manages the project, because people who
 * may only run tasks must not set variables that the survey does not offer.
 */
export function validateAnswers(
  survey: readonly SurveyVar[],
  { lists, given, givenSecret = {}, manages }: SentAnswers,
): Answers {
  const fields: Record<string, Sentence> = {};
  const answers: Answers = { open: {}, secret: {} };
  const known = new Set(survey.map(({ name }) => name));
  for (const [name, value] of Object.entries({ ...given, ...givenSecret })) {
    if (known.has(name)) continue;
    if (!manages) fields[name] = { key: "errors.not_in_survey", params: { name } };
    else if (hasNul(name)) fields[name] = { key: "errors.nul" };
    else if (!Object.hasOwn(givenSecret, name)) answers.open[name] = value;
    else if (value === null || hasMembers(value)) {
      fields[name] = { key: "errors.survey_text", params: { title: name } };
    } else answers.secret[name] = scalarText(value);
  }
  for (const asked of askedQuestions(survey, lists, { ...given, ...givenSecret })) {
    const { question: { name, type, title, required }, value } = asked;
    const isNone = value === undefined || value === "" ||
      (Array.isArray(value) && value.length === 0);
    const problem = required && isNone
      ? { key: "errors.survey_required", params: { title } }
      : value !== undefined
      ? messageOf(asked, manages)
      : null;
    if (problem) fields[name] = problem;
    else if (value === undefined) continue;
    else if (type === "secret") answers.secret[name] = scalarText(value);
    else answers.open[name] = storedAnswer(type, value, asked.choices);
  }
  const [first] = Object.values(fields);
  if (first) throw new AppError(400, first.key, first.params, { fields });
  return answers;
}

/** Returns an answer as the play gets it. A list with one item answers a single question, too. */
function storedAnswer(type: string, value: unknown, choices: Choice[] | null): unknown {
  const kind = answerType(type);
  if (kind === "select") return listOf(value, choices && valuesOf(choices));
  const single = Array.isArray(value) ? value[0] : value;
  return kind === "int" ? integerOf(single) : single;
}

const valuesOf = (choices: Choice[]) => new Set(choices.map(({ value }) => value));

const PROBLEMS: Record<AnswerProblem, string> = {
  nul: "errors.nul",
  text: "errors.survey_text",
  integer: "errors.survey_integer",
  choice: "errors.survey_choice",
  list: "errors.survey_list",
};

function messageOf(asked: AskedQuestion, manages: boolean): Sentence | null {
  const { question: { name, title, type, default_value }, choices, list, value } = asked;
  const params = { title };
  if (list && !choices) {
    const reason = list.problem ?? UNKNOWN;
    return { key: "errors.survey_unavailable", params: { title, reason } };
  }
  // ssh would take a host or login that begins with "-" as an option.
  const isOption = [value].flat().some((part) =>
    !hasMembers(part) && /^\s*-/.test(scalarText(part))
  );
  if (isOption && value !== default_value && !manages && isOwnVariable(name)) {
    return { key: "errors.survey_option", params };
  }
  const problem = answerProblem(type, choices, value);
  return problem && { key: PROBLEMS[problem], params };
}
