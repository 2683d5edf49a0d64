import { answerType, isKnownType } from "@/lib/surveys/answer_types.ts";
import { typedChoices, typedLines } from "@/lib/surveys/choice_lines.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import type { FormErrors } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

/** Each question of a form has a type. */
const TYPE = /^(survey_vars\.\d{1,3})\.type$/;
/** Texts with one item per line, and the lists of a survey's schema that they stand for. */
const CHOICES = /^(survey_vars\.\d{1,3})\.choices$/;
const CONDITION = /^survey_vars\.\d{1,3}\.only_if\.values$/;

/** Returns a survey's values for its form, with lists as lines of one text. */
export const surveyFormObject = (survey: readonly SurveyVar[]): object[] =>
  survey.map(({ values, type, only_if, default_value, ...question }) => ({
    ...question,
    type: isKnownType(type) ? answerType(type) : type,
    choices: values.map(({ name, value }) => name === value ? value : `${name} = ${value}`)
      .join("\n"),
    only_if: only_if && { ...only_if, values: only_if.values.join("\n") },
    default_value: typeof default_value === "string" ? default_value : listText(default_value),
  }));

const listText = (texts: string[]) =>
  texts.some((text) => text.includes(",")) ? JSON.stringify(texts) : texts.join(", ");

/** Converts the form's values for the survey's schema. A choice becomes a name and a value. */
export function unfoldSurvey(values: FormValues): FormValues {
  const unfolded: FormValues = {};
  for (const [field, text] of Object.entries(values)) {
    const [, question] = TYPE.exec(field) ?? [];
    // Only clients that do not know sources keep the stored one by leaving it out.
    if (question) unfolded[`${question}.choices_from.source`] ??= "";
    const match = CHOICES.exec(field);
    if (match) {
      typedChoices(text).forEach(({ name, value }, n) => {
        unfolded[`${match[1]}.values.${n}.name`] = name;
        unfolded[`${match[1]}.values.${n}.value`] = value;
      });
    } else if (CONDITION.test(field)) {
      typedLines(text).forEach((line, n) => unfolded[`${field}.${n}`] = line);
    } else unfolded[field] = text;
  }
  return unfolded;
}

/** Moves errors of a list's item to the text that contains the whole list. */
export function foldSurveyErrors(errors: FormErrors): FormErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      field.replace(/^(survey_vars\.\d+)\.values.*$/, "$1.choices")
        .replace(/^(survey_vars\.\d+\.only_if\.values)\.\d+$/, "$1"),
      message,
    ]),
  );
}
