import { Button } from "@/components/ui/Button.tsx";
import { Checkbox, Select } from "@/components/ui/Choice.tsx";
import { Field, TextArea } from "@/components/ui/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import { ADD_ROW, removeRow, rowNumbers } from "@/lib/web/forms/rows.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

interface SurveyFieldsProps {
  ui: Ui;
  form: FormState;
}

/** The questions of a template. Adding and removing sends the form, so no script is needed. */
export function SurveyFields({ ui, form }: SurveyFieldsProps) {
  return (
    <div class="survey">
      {rowNumbers(form.values, "survey_vars").map((number, index) => (
        <Question ui={ui} form={form} number={number} position={index + 1} />
      ))}
      <Button
        name="question"
        value={ADD_ROW}
        icon="plus"
        id="survey-add"
        formaction="#survey-add"
        data-stay
      >
        {ui.t("survey.add")}
      </Button>
    </div>
  );
}

function Question(
  { ui, form, number, position }: SurveyFieldsProps & { number: number; position: number },
) {
  const labels = questionLabels(ui);
  const field = (field: keyof typeof labels) => ({
    ui,
    form,
    name: `survey_vars.${number}.${field}`,
    label: labels[field],
  });
  return (
    <details
      id={`survey-${number}`}
      class="survey-question reveal"
      open={isOpen(form, number)}
    >
      <summary>{questionTitle(ui, form, number, position)}</summary>
      <div class="grid gap-3 items-start sm:grid-cols-2">
        <Field {...field("name")} required />
        <Field
          {...field("title")}
          required
        />
        <Field
          {...field("description")}
          class="sm:col-span-2"
        />
        <Select
          {...field("type")}
          options={typesOf(ui)}
        />
        <Select
          {...field("target")}
          options={[
            { value: "", label: ui.t("survey.target.extra_var") },
            { value: "env", label: ui.t("survey.target.env") },
          ]}
        />
        <TextArea
          {...field("choices")}
          hint={ui.t("survey.choices_hint")}
          required
          class="sm:col-span-2 for-enum"
        />
        <Field
          {...field("default_value")}
        />
        <Checkbox
          {...field("required")}
          class="self-end"
        />
        <RemoveButton ui={ui} number={number} />
      </div>
    </details>
  );
}

const RemoveButton = ({ ui, number }: { ui: Ui; number: number }) => (
  <div class="sm:col-span-2 text-right">
    <Button
      kind="quiet"
      icon="delete"
      name="question"
      value={removeRow(number)}
      formaction="#survey"
      data-stay
    >
      {ui.t("survey.remove")}
    </Button>
  </div>
);

const typesOf = (ui: Ui) => [
  { value: "", label: ui.t("survey.type.string") },
  { value: "int", label: ui.t("survey.type.int") },
  { value: "enum", label: ui.t("survey.type.enum") },
  { value: "secret", label: ui.t("survey.type.secret") },
];

/** Opens a new question and one with an error; the others are folded. */
function isOpen({ values, errors }: FormState, number: number): boolean {
  const prefix = `survey_vars.${number}.`;
  return !values[`${prefix}name`] || Object.keys(errors).some((field) => field.startsWith(prefix));
}

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

const questionLabels = (ui: Ui) => ({
  name: ui.t("survey.name"),
  title: ui.t("survey.title_label"),
  description: ui.t("survey.description"),
  type: ui.t("survey.type_label"),
  target: ui.t("survey.target_label"),
  choices: ui.t("survey.choices"),
  default_value: ui.t("survey.default_value"),
  required: ui.t("survey.required"),
});

const questionTitle = (ui: Ui, { values }: FormState, number: number, position: number) =>
  values[`survey_vars.${number}.title`] || ui.t("survey.question", { position });
