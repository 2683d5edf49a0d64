import NewSurvey from "@/islands/NewSurvey.tsx";
import SurveyEditor from "@/islands/SurveyEditor.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import { rowNumbers } from "@/lib/web/forms/rows.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { ANSWER_TYPES, CHOICE_SOURCES } from "@/lib/surveys/answer_types.ts";
import { questionLabels, questionTitle } from "./QuestionFields.tsx";

/** Keys of the editor's texts. */
const TEXTS = [
  ...["add", "remove", "up", "down", "preview", "question", "name", "title_label", "description"],
  ...["type_label", "type.other", "target_label", "target.extra_var", "target.env", "required"],
  ...["source_label", "source.list", "choices", "choices_hint", "path", "path_hint", "url"],
  ...["url_hint", "key", "key_hint", "by", "by_hint", "only_if", "only_if_hint", "only_if_values"],
  ...["only_if_values_hint", "default_value", "default_hint"],
  ...ANSWER_TYPES.map((type) => `type.${type || "string"}`),
  ...CHOICE_SOURCES.map((source) => `source.${source}`),
].map((key) => `survey.${key}`).concat("templates.choose", "forms.suggestions");

/** The questions of a survey. */
export function SurveyFields({ ui, form }: { ui: Ui; form: FormState }) {
  const ofSurvey = <T,>(members: Record<string, T>) =>
    Object.entries(members).filter(([name]) => name.startsWith("survey_vars."));
  const told = ofSurvey(form.errors).map(([name, error]) => [name, { key: ui.tell(error) }]);
  const Island = rowNumbers(form.values, "survey_vars").length > 0 ? SurveyEditor : NewSurvey;
  return (
    <Island
      form={{
        values: Object.fromEntries(ofSurvey(form.values)),
        errors: Object.fromEntries(told),
      }}
      language={ui.language}
      texts={Object.fromEntries(TEXTS.map((key) => [key, ui.t(key)]))}
    />
  );
}

/** Labels of the questions' fields, for the list of errors. */
export const surveyLabels = (ui: Ui, form: FormState): Record<string, string> =>
  Object.fromEntries(
    rowNumbers(form.values, "survey_vars").flatMap((number, index) =>
      Object.entries(questionLabels(ui)).map(([field, label]) => [
        `survey_vars.${number}.${field}`,
        `${questionTitle(ui, form.values[`survey_vars.${number}.title`], index + 1)}, ${label}`,
      ])
    ),
  );
