import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Value of the button that adds a blank question, and of those that remove one ("remove.3"). */
export const ADD_QUESTION = "add";
export const REMOVE_QUESTION = "remove.";

/** The numbers under which a form holds questions, in order. */
export function questionNumbers({ values }: FormState): number[] {
  const numbers = Object.keys(values).flatMap((name) => {
    const match = /^survey_vars\.(\d{1,3})\./.exec(name);
    return match ? [Number(match[1])] : [];
  });
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

/** What the fields of the questions are called, for the list of what is wrong. */
export const surveyLabels = (ui: Ui, form: FormState): Record<string, string> =>
  Object.fromEntries(
    questionNumbers(form).flatMap((number, index) =>
      Object.entries(questionLabels(ui)).map(([field, label]) => [
        `survey_vars.${number}.${field}`,
        `${questionTitle(ui, form, number, index + 1)}, ${label}`,
      ])
    ),
  );

/** What the fields of one question are called. */
export const questionLabels = (ui: Ui) => ({
  name: ui.t("survey.name"),
  title: ui.t("survey.title_label"),
  description: ui.t("survey.description"),
  type: ui.t("survey.type_label"),
  target: ui.t("survey.target_label"),
  choices: ui.t("survey.choices"),
  default_value: ui.t("survey.default_value"),
  required: ui.t("survey.required"),
});

/** What a question is called in the form. */
export const questionTitle = (ui: Ui, { values }: FormState, number: number, position: number) =>
  values[`survey_vars.${number}.title`] || ui.t("survey.question", { position });
