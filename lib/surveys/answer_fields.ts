import { answerType } from "./answer_types.ts";
import type { SurveyVar } from "./schema.ts";

type Texts = Record<string, string>;

/** Prefix of the fields of a form with answers to a survey. */
const ANSWERS = "answers.";

/** Name of the form field for a survey variable. */
export const answerName = (variable: string): string => ANSWERS + variable;

/** Labels of the answers, for the list of errors. */
export const answerLabels = (survey: readonly SurveyVar[]): Record<string, string> =>
  Object.fromEntries(survey.map(({ name, title }) => [answerName(name), title]));

/**
 * Returns the answer in a form, a list for several choices; undefined if the form has no field for
 * it. Each field of several choices also sends a blank text, so that none can be chosen. Another
 * blank field is an empty answer if it has a default, because forms show it, and none otherwise.
 */
function answerIn(
  { name, type, default_value }: SurveyVar,
  values: Texts,
): string | string[] | undefined {
  const field = answerName(name);
  if (answerType(type) !== "select") {
    return values[field] === "" && default_value === "" ? undefined : values[field];
  }
  if (values[field] !== undefined) return values[field] === "" ? [] : values[field];
  const texts = Object.entries(values).filter(([sent]) => sent.startsWith(`${field}.`));
  if (texts.length === 0) return undefined;
  return texts.map(([, text]) => text).filter((text) => text !== "");
}

/** Returns the answers in a form that are secret, or those that are not. */
export function answersIn(
  survey: readonly SurveyVar[],
  values: Texts,
  kind: "open" | "secret",
): Record<string, string | string[]> {
  const wanted = survey.filter(({ type }) => (type === "secret") === (kind === "secret"));
  return Object.fromEntries(
    wanted.flatMap((question) => {
      const answer = answerIn(question, values);
      return answer === undefined ? [] : [[question.name, answer]];
    }),
  );
}

/**
 * Returns the values of a form that does not show defaults, without its blank answers. Then the
 * defaults apply when a task starts.
 */
export const withoutBlankAnswers = (survey: readonly SurveyVar[], values: Texts): Texts => {
  const blank = new Set(
    survey.filter(({ name, type }) =>
      answerType(type) !== "select" && values[answerName(name)] === ""
    ).map(({ name }) => answerName(name)),
  );
  return Object.fromEntries(Object.entries(values).filter(([field]) => !blank.has(field)));
};

/** Default values of a survey, by the names of the form's fields. */
export const defaultAnswers = (survey: readonly SurveyVar[]): Record<string, string> =>
  Object.fromEntries(
    survey.flatMap(({ name, default_value }) =>
      typeof default_value === "string"
        ? [[answerName(name), default_value]]
        : default_value.map((text, n) => [`${answerName(name)}.${n}`, text])
    ),
  );
