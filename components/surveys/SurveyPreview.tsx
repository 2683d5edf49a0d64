import type { Ui } from "../../lib/i18n/ui.ts";
import { type Question, surveyOf } from "./questions.ts";
import { defaultAnswers } from "../../lib/surveys/answer_fields.ts";
import { askedQuestions } from "../../lib/surveys/choices.ts";
import { Answer } from "./SurveyAnswers.tsx";

/** The questions as a start asks them at first. None of it is part of the form. */
export function SurveyPreview({ ui, questions }: { ui: Ui; questions: readonly Question[] }) {
  const survey = surveyOf(questions, (position) => ui.t("survey.question", { position }));
  const form = { values: defaultAnswers(survey), errors: {}, idPrefix: "preview-" };
  return (
    <fieldset disabled class="survey-preview">
      <legend>{ui.t("survey.preview")}</legend>
      {askedQuestions(survey, new Map(), {}).map(({ list: _list, ...asked }, n) => (
        <Answer key={n} ui={ui} form={form} asked={asked} />
      ))}
    </fieldset>
  );
}
