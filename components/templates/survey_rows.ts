import type { FormState } from "@/lib/web/forms/form.ts";
import { rowNumbers } from "@/lib/web/forms/rows.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Labels of the questions' fields, for the list of errors. */
export const surveyLabels = (ui: Ui, form: FormState): Record<string, string> =>
  Object.fromEntries(
    rowNumbers(form.values, "survey_vars").flatMap((number, index) =>
      Object.entries(questionLabels(ui)).map(([field, label]) => [
        `survey_vars.${number}.${field}`,
        `${questionTitle(ui, form, number, index + 1)}, ${label}`,
      ])
    ),
  );

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

export const questionTitle = (ui: Ui, { values }: FormState, number: number, position: number) =>
  values[`survey_vars.${number}.title`] || ui.t("survey.question", { position });
