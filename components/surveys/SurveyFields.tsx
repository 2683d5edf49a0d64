import { Button } from "@/components/ui/Button.tsx";
import { Checkbox, Select } from "@/components/ui/forms/Choice.tsx";
import { Field, TextArea } from "@/components/ui/forms/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import { ADD_ROW, removeRow, rowNumbers } from "@/lib/web/forms/rows.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { ANSWER_TYPES, isKnownType } from "@/lib/surveys/answer_types.ts";
import { CHOICE_SOURCES } from "@/lib/surveys/schema.ts";

interface SurveyFieldsProps {
  ui: Ui;
  form: FormState;
}

/** The questions of a survey. Adding and removing sends the form, so no script is needed. */
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
  const field = (field: QuestionField) => ({
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
          options={typesOf(ui, form.values[`survey_vars.${number}.type`])}
        />
        <Select
          {...field("target")}
          options={[
            { value: "", label: ui.t("survey.target.extra_var") },
            { value: "env", label: ui.t("survey.target.env") },
          ]}
        />
        <ChoicesFields ui={ui} field={field} />
        <Field
          {...field("default_value")}
          hint={<span class="for-several">{ui.t("survey.default_hint")}</span>}
        />
        <Checkbox
          {...field("required")}
          class="self-end"
        />
        <Field {...field("only_if.name")} hint={ui.t("survey.only_if_hint")} />
        <TextArea
          {...field("only_if.values")}
          hint={ui.t("survey.only_if_values_hint")}
          rows={2}
        />
        <RemoveButton ui={ui} number={number} />
      </div>
    </details>
  );
}

interface ChoicesFieldsProps {
  ui: Ui;
  /** Returns the properties of a field of the question. */
  field(name: QuestionField): { ui: Ui; form: FormState; name: string; label: string };
}

/** The choices of a question, or where they come from. */
function ChoicesFields({ ui, field }: ChoicesFieldsProps) {
  return (
    <>
      <Select
        {...field("choices_from.source")}
        options={sourcesOf(ui)}
        class="sm:col-span-2 for-choices"
      />
      <TextArea
        {...field("choices")}
        hint={ui.t("survey.choices_hint")}
        required
        class="sm:col-span-2 for-choices for-list"
      />
      <Field
        {...field("choices_from.path")}
        hint={ui.t("survey.path_hint")}
        placeholder="vars/choices.yml"
        required
        class="for-choices for-file"
      />
      <Field
        {...field("choices_from.url")}
        hint={ui.t("survey.url_hint")}
        inputMode="url"
        required
        class="for-choices for-url"
      />
      <Field
        {...field("choices_from.key")}
        hint={ui.t("survey.key_hint")}
        class="for-choices for-source"
      />
      <Field
        {...field("choices_from.by")}
        hint={ui.t("survey.by_hint")}
        class="sm:col-span-2 for-choices for-source"
      />
    </>
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

/** Types of questions. A type that another client has stored stays as it is. */
const typesOf = (ui: Ui, current = "") => [
  ...ANSWER_TYPES.map((type) => ({ value: type, label: ui.t(`survey.type.${type || "string"}`) })),
  ...isKnownType(current)
    ? []
    : [{ value: current, label: ui.t("survey.type.other", { type: current }) }],
];

const sourcesOf = (ui: Ui) => [
  { value: "", label: ui.t("survey.source.list") },
  ...CHOICE_SOURCES.map((source) => ({ value: source, label: ui.t(`survey.source.${source}`) })),
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
  "choices_from.source": ui.t("survey.source_label"),
  choices: ui.t("survey.choices"),
  "choices_from.path": ui.t("survey.path"),
  "choices_from.url": ui.t("survey.url"),
  "choices_from.key": ui.t("survey.key"),
  "choices_from.by": ui.t("survey.by"),
  "only_if.name": ui.t("survey.only_if"),
  "only_if.values": ui.t("survey.only_if_values"),
  default_value: ui.t("survey.default_value"),
  required: ui.t("survey.required"),
});

type QuestionField = keyof ReturnType<typeof questionLabels>;

const questionTitle = (ui: Ui, { values }: FormState, number: number, position: number) =>
  values[`survey_vars.${number}.title`] || ui.t("survey.question", { position });
