import { memo } from "react";
import { Button } from "@/components/ui/Button.tsx";
import { Checkbox, Select } from "@/components/ui/forms/Choice.tsx";
import { Field, TextArea } from "@/components/ui/forms/Field.tsx";
import { type Change, fieldName, type Question } from "./questions.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { moveRow, removeRow } from "@/lib/web/forms/rows.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { ANSWER_TYPES, CHOICE_SOURCES, isKnownType } from "@/lib/surveys/answer_types.ts";

interface QuestionProps {
  ui: Ui;
  question: Question;
  index: number;
  isLast: boolean;
  change(change: Change): void;
}

/** The fields of a question. It is rendered again only if the question has changed. */
export const QuestionFields = memo(function QuestionFields(
  { ui, question, index, isLast, change }: QuestionProps,
) {
  const { number } = question;
  const labels = questionLabels(ui);
  const named = <T,>(members: Record<string, T>) =>
    Object.fromEntries(
      Object.entries(members).map(([field, value]) => [fieldName(question, field), value]),
    );
  const form = { values: named(question.values), errors: named(question.errors) };
  const field = (field: QuestionField) => ({
    ui,
    form,
    name: fieldName(question, field),
    label: labels[field],
  });
  return (
    <details id={`survey-${number}`} class="survey-question reveal" open={question.isOpen}>
      <summary>{questionTitle(ui, question.values.title, index + 1)}</summary>
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
          options={typesOf(ui, question.values.type)}
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
        <QuestionButtons {...{ ui, question, index, isLast, change }} />
      </div>
    </details>
  );
});

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

/** Without a script, the buttons send the form. */
function QuestionButtons(
  { ui, question: { id, number }, index, isLast, change }: QuestionProps,
) {
  const press = (next: Change) => (event: Event) => {
    event.preventDefault();
    change(next);
  };
  const common = { kind: "quiet", name: "question", "data-stay": true } as const;
  return (
    <div class="sm:col-span-2 flex flex-wrap justify-end gap-2">
      <Button
        {...common}
        icon="chevron_up"
        value={moveRow(number, -1)}
        formaction={`#survey-${number}`}
        disabled={index === 0}
        onClick={press({ kind: "move", id, step: -1 })}
      >
        {ui.t("survey.up")}
      </Button>
      <Button
        {...common}
        icon="chevron_down"
        value={moveRow(number, 1)}
        formaction={`#survey-${number}`}
        disabled={isLast}
        onClick={press({ kind: "move", id, step: 1 })}
      >
        {ui.t("survey.down")}
      </Button>
      <Button
        {...common}
        icon="delete"
        value={removeRow(number)}
        formaction="#survey"
        onClick={press({ kind: "remove", id })}
      >
        {ui.t("survey.remove")}
      </Button>
    </div>
  );
}

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

export const questionLabels = (ui: Ui) => ({
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

export const questionTitle = (ui: Ui, title: string | undefined, position: number) =>
  title || ui.t("survey.question", { position });
