import { Button } from "@/components/ui/Button.tsx";
import { Checkbox, Select } from "@/components/ui/Choice.tsx";
import { Field, TextArea } from "@/components/ui/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

interface SurveyFieldsProps {
  ui: Ui;
  form: FormState;
}

/** Value of the button that adds a blank question, and of those that remove one ("remove.3"). */
export const ADD_QUESTION = "add";
export const REMOVE_QUESTION = "remove.";

/** The questions of a template. Adding and removing sends the form, so that no script is needed. */
export function SurveyFields({ ui, form }: SurveyFieldsProps) {
  return (
    <div class="survey">
      {questionNumbers(form).map((number, index) => (
        <Question ui={ui} form={form} number={number} position={index + 1} />
      ))}
      <Button
        name="question"
        value={ADD_QUESTION}
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

/** The numbers under which a form holds questions, in order. */
export function questionNumbers({ values }: FormState): number[] {
  const numbers = Object.keys(values).flatMap((name) => {
    const match = /^survey_vars\.(\d{1,3})\./.exec(name);
    return match ? [Number(match[1])] : [];
  });
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

function Question(
  { ui, form, number, position }: SurveyFieldsProps & { number: number; position: number },
) {
  const common = { ui, form };
  const name = (field: string) => `survey_vars.${number}.${field}`;
  const title = form.values[name("title")] || ui.t("survey.question", { position });
  return (
    <details
      id={`survey-${number}`}
      class="survey-question reveal"
      open={isOpen(form, number)}
    >
      <summary>{title}</summary>
      <div class="grid gap-3 items-start sm:grid-cols-2">
        <Field {...common} name={name("name")} label={ui.t("survey.name")} required />
        <Field
          {...common}
          name={name("title")}
          label={ui.t("survey.title_label")}
          required
        />
        <Field
          {...common}
          name={name("description")}
          label={ui.t("survey.description")}
          class="sm:col-span-2"
        />
        <Select
          {...common}
          name={name("type")}
          label={ui.t("survey.type_label")}
          options={typesOf(ui)}
        />
        <Select
          {...common}
          name={name("target")}
          label={ui.t("survey.target_label")}
          options={[
            { value: "", label: ui.t("survey.target.extra_var") },
            { value: "env", label: ui.t("survey.target.env") },
          ]}
        />
        <TextArea
          {...common}
          name={name("choices")}
          label={ui.t("survey.choices")}
          hint={ui.t("survey.choices_hint")}
          required
          class="sm:col-span-2 for-enum"
        />
        <Field
          {...common}
          name={name("default_value")}
          label={ui.t("survey.default_value")}
        />
        <Checkbox
          {...common}
          name={name("required")}
          label={ui.t("survey.required")}
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
      value={`${REMOVE_QUESTION}${number}`}
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

/** A new question and one with a mistake are open, the others folded. */
function isOpen({ values, errors }: FormState, number: number): boolean {
  const prefix = `survey_vars.${number}.`;
  return !values[`${prefix}name`] || Object.keys(errors).some((field) => field.startsWith(prefix));
}
