import { Button } from "@/components/ui/Button.tsx";
import { Select } from "@/components/ui/forms/Choice.tsx";
import {
  Field,
  fieldAttributes,
  fieldId,
  SECRET_LINES,
  TextArea,
} from "@/components/ui/forms/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { answerName } from "@/lib/surveys/answer_fields.ts";
import { answerType, type Choice, listOf } from "@/lib/surveys/answer_types.ts";
import { type AskedQuestion, isOfInventory, UNKNOWN } from "@/lib/surveys/choices.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";

/** Name of the buttons that show a form again, with the questions and choices of its answers. */
export const REFRESH = "refresh_choices";
/** Value of the button that also loads the choices again. */
export const RELOAD = "reload";

/** A list with more choices is a text with suggestions, if its choices have no other names. */
const SELECT_MAX = 100;

interface SurveyAnswersProps {
  ui: Ui;
  form: FormState;
  survey: readonly SurveyVar[];
  asked: readonly AskedQuestion[];
}

/**
 * Fields for the questions that are asked. Each change of an answer that others depend on shows the
 * form again. A button does the same without a script.
 */
export function SurveyAnswers({ ui, form, survey, asked }: SurveyAnswersProps) {
  const deciding = decidingFields(survey);
  const hasLists = asked.some(({ list }) => list);
  const hidden = survey.filter((question) => !asked.some((one) => one.question === question));
  return (
    <>
      {asked.map((one, n) => <Answer key={n} ui={ui} form={form} asked={one} />)}
      {hidden.map((question, n) => <KeptAnswer key={n} form={form} question={question} />)}
      {deciding.length > 0 && (
        <button
          type="submit"
          hidden
          name={REFRESH}
          value="answers"
          data-stay
          data-on={deciding.join(" ")}
        />
      )}
      {(hasLists || deciding.length > 0) && (
        <div class={hasLists ? undefined : "no-script"}>
          <Button name={REFRESH} value={RELOAD} icon="refresh" id="refresh-choices" data-stay>
            {ui.t("survey.refresh")}
          </Button>
        </div>
      )}
    </>
  );
}

/** Names of the fields that other questions or their choices depend on. */
function decidingFields(survey: readonly SurveyVar[]): string[] {
  const fields = survey.flatMap((question) => [
    ...[question.only_if?.name, question.choices_from?.by].flatMap((name) =>
      name === undefined ? [] : answerName(name)
    ),
    ...isOfInventory(question) ? ["inventory_id"] : [],
  ]);
  return [...new Set(fields)];
}

/** The answer to a question that is not asked at present, in case it is asked again. */
function KeptAnswer({ form, question }: { form: FormState; question: SurveyVar }) {
  if (question.type === "secret") return null;
  const field = answerName(question.name);
  return (
    <>
      {Object.entries(form.values).filter(([name]) =>
        name === field || name.startsWith(`${field}.`)
      ).map(([, value], n) => <input key={n} type="hidden" name={field} value={value} />)}
    </>
  );
}

interface AnswerProps {
  ui: Ui;
  form: FormState;
  asked: AskedQuestion;
}

/** The field of a question. */
export function Answer({ ui, form, asked }: AnswerProps) {
  const { question: { name, title, description, type, required }, choices } = asked;
  const kind = answerType(type);
  const note = noteOf(ui, asked);
  const common = {
    ui,
    form,
    name: answerName(name),
    label: title,
    hint: description && note ? <>{description} {note}</> : description || note || undefined,
    required,
  };
  if (choices && kind === "select") return <Several {...common} choices={choices} asked={asked} />;
  if (choices && !isLong(choices)) {
    return (
      <Select
        {...common}
        blank={ui.t("templates.choose")}
        options={choices.map((choice) => ({ value: choice.value, label: choice.name }))}
      />
    );
  }
  if (kind === "text") return <TextArea {...common} rows={4} />;
  if (kind === "secret") return <TextArea {...common} {...SECRET_LINES} />;
  const suggestions = choices ? `${fieldId(form, answerName(name))}-choices` : undefined;
  return (
    <>
      <Field
        {...common}
        list={suggestions}
        inputMode={kind === "int" ? "numeric" : undefined}
        autocomplete="off"
      />
      {choices && (
        <datalist id={suggestions}>
          {choices.map(({ value }, n) => <option key={n} value={value} />)}
        </datalist>
      )}
    </>
  );
}

const isLong = (choices: readonly Choice[]) =>
  choices.length > SELECT_MAX && choices.every(({ name, value }) => name === value);

/** Several choices, as boxes to tick in a list that scrolls. */
function Several(
  { ui, form, name, label, hint, required, choices, asked }:
    & Pick<Parameters<typeof Select>[0], "ui" | "form" | "name" | "label" | "hint" | "required">
    & { choices: readonly Choice[]; asked: AskedQuestion },
) {
  const { id, autofocus } = fieldAttributes({ form, name });
  const chosen = new Set(
    listOf(asked.value ?? [], new Set(choices.map(({ value }) => value))) ?? [],
  );
  const error = form.errors[name];
  return (
    <fieldset
      class="field"
      aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") ||
        undefined}
    >
      <legend class={required ? "required" : undefined}>{label}</legend>
      {/* Sent even if nothing is ticked, so that the default does not apply. */}
      <input type="hidden" name={name} value="" />
      <div class="several">
        {choices.map(({ name: text, value }, index) => (
          <label key={index} class="check">
            <input
              id={index === 0 ? id : `${id}-${index}`}
              autofocus={index === 0 ? autofocus : undefined}
              type="checkbox"
              name={name}
              value={value}
              checked={chosen.has(value)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
      {error && <p id={`${id}-error`} class="field-error">{ui.tell(error)}</p>}
      {hint && <p id={`${id}-hint`} class="field-hint">{hint}</p>}
    </fieldset>
  );
}

/** Returns a note about choices that are old or missing; undefined if there is none. */
function noteOf(ui: Ui, { list, choices }: AskedQuestion): string | undefined {
  if (!list) return undefined;
  const { asOf, problem } = list;
  if (!choices) {
    const reason = problem ?? UNKNOWN;
    return ui.tell({ key: "errors.choices_unavailable", params: { reason } });
  }
  if (asOf) {
    const time = ui.relativeTime(asOf);
    return problem
      ? ui.t("survey.choices_old", { time, reason: ui.tell(problem) })
      : ui.t("survey.choices_as_of", { time });
  }
  return choices.length === 0 ? ui.t("survey.choices_none") : undefined;
}
