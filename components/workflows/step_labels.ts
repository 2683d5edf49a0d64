import { overrideLabels } from "@/components/tasks/OverrideFields.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { answerLabels } from "@/lib/surveys/answer_fields.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";

/** Labels of the fields in the order of a step's form, for the list of errors. */
export const stepLabels = (
  ui: Ui,
  { steps }: WorkflowView,
  survey: SurveyVar[],
): Record<string, string> => ({
  name: ui.t("resources.name"),
  starts: ui.t("workflows.starts"),
  ...Object.fromEntries(
    steps.map(({ id, name }) => [`links.${id}`, ui.t("workflows.after_step", { name })]),
  ),
  join: ui.t("workflows.join"),
  workflow_id: ui.t("workflows.kind.workflow"),
  minutes: ui.t("workflows.minutes_label"),
  message: ui.t("start_task.message"),
  ...answerLabels(survey),
  ...overrideLabels(ui),
  ...Object.fromEntries(
    survey.flatMap(({ name, title }) => [
      [`values.${name}.from`, title],
      [`values.${name}.name`, ui.labelled(title, ui.t("workflows.output_name"))],
    ]),
  ),
});

/**
 * Returns the questions that a step can answer in advance. Members could read secret answers, and
 * an answer may come from elsewhere.
 */
export const openSurvey = (survey: readonly SurveyVar[]): SurveyVar[] =>
  survey.filter(({ type }) => type !== "secret").map((question) => ({
    ...question,
    required: false,
  }));
