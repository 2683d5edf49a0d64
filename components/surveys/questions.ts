import type { Language } from "../../lib/i18n/catalogs.ts";
import { answerType, listOf } from "../../lib/surveys/answer_types.ts";
import { typedChoices, typedLines } from "../../lib/surveys/choice_lines.ts";
import type { SurveyVar } from "../../lib/surveys/schema.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { rowNumbers } from "../../lib/web/forms/rows.ts";

const LIST = "survey_vars";

/** A question of a survey while it is edited. */
export interface Question {
  /** Stays the same when it is moved. */
  id: number;
  /** Number of its row in the form. */
  number: number;
  /** Values and errors of its fields, by the names that follow the row. */
  values: FormState["values"];
  errors: FormState["errors"];
  /** Whether it is shown open at first. */
  isOpen: boolean;
}

/** A change of a survey. */
export type Change =
  | { kind: "type"; number: number; field: string; value: string }
  | { kind: "add" }
  | { kind: "remove"; id: number }
  | { kind: "move"; id: number; step: 1 | -1 };

/** The questions of a form with all that their editor says. */
export interface SurveyEditorProps {
  form: Pick<FormState, "values" | "errors">;
  language: Language;
  /** The texts of the editor, by locale key. */
  texts: Record<string, string>;
  /** The change that it starts with. */
  first?: Change;
}

/** Returns the questions of a form. New ones and those with an error are open. */
export const questionsOf = ({ values, errors }: Pick<FormState, "values" | "errors">): Question[] =>
  rowNumbers(values, LIST).map((number) => {
    const own = { values: below(values, number), errors: below(errors, number) };
    const isOpen = !own.values.name || Object.keys(own.errors).length > 0;
    return { id: number, number, ...own, isOpen };
  });

function below<T>(members: Record<string, T>, number: number): Record<string, T> {
  const prefix = `${LIST}.${number}.`;
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}

/** Returns the row and the field of a name in the form; null for other names. */
export function fieldOf(name: string): { number: number; field: string } | null {
  const [, number, field] = /^survey_vars\.(\d+)\.(.+)$/.exec(name) ?? [];
  return field ? { number: Number(number), field } : null;
}

/** Returns the name of a question's field. */
export const fieldName = ({ number }: Pick<Question, "number">, field: string): string =>
  `${LIST}.${number}.${field}`;

/** Returns the questions after a change. Those that it does not concern stay the same objects. */
export function changed(questions: readonly Question[], change: Change): Question[] {
  switch (change.kind) {
    case "type": {
      const { number, field, value } = change;
      return questions.map((one) =>
        one.number === number ? { ...one, values: { ...one.values, [field]: value } } : one
      );
    }
    case "add": {
      const number = (questions.at(-1)?.number ?? -1) + 1;
      const id = Math.max(-1, ...questions.map(({ id }) => id)) + 1;
      return [...questions, { id, number, values: { name: "" }, errors: {}, isOpen: true }];
    }
    case "remove":
      return questions.filter(({ id }) => id !== change.id);
    case "move": {
      const from = questions.findIndex(({ id }) => id === change.id);
      const [one, other] = [questions[from], questions[from + change.step]];
      if (!other) return [...questions];
      return questions.with(from, { ...other, number: one.number })
        .with(from + change.step, { ...one, number: other.number });
    }
  }
}

/** Returns what the questions say, whatever is blank. */
export const shownBy = (questions: readonly Question[]): unknown =>
  questions.map(({ number, values, errors }) => [
    number,
    Object.entries(values).filter(([, value]) => value !== "").toSorted(),
    errors,
  ]);

/** Returns the survey that the questions make. `titleOf` names one without a title. */
export const surveyOf = (
  questions: readonly Question[],
  titleOf: (position: number) => string,
): SurveyVar[] =>
  questions.map(({ number, values }, index) => {
    const { name = "", title, description = "", type = "", required, default_value = "" } = values;
    const kind = answerType(type);
    const listed = typedChoices(values.choices ?? "");
    const offered = new Set(listed.map(({ value }) => value));
    const source = values["choices_from.source"] as "file" | undefined;
    const earlier = values["only_if.name"]?.trim();
    return {
      name: name.trim() || `variable_${number}`,
      title: title || titleOf(index + 1),
      description,
      type,
      required: required === "true",
      values: listed,
      target: "",
      default_value: kind === "select" ? listOf(default_value, offered) ?? [] : default_value,
      ...source && ["enum", "select"].includes(kind) && { choices_from: { source } },
      ...earlier && {
        only_if: { name: earlier, values: typedLines(values["only_if.values"] ?? "") },
      },
    };
  });
