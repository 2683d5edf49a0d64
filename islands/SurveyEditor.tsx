import { type FormEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { IS_BROWSER } from "fresh/runtime";
import { AddQuestion } from "@/components/surveys/AddQuestion.tsx";
import { QuestionFields } from "@/components/surveys/QuestionFields.tsx";
import { SurveyPreview } from "@/components/surveys/SurveyPreview.tsx";
import { islandKey } from "@/lib/client/page/island_key.ts";
import {
  type Change,
  changed,
  fieldOf,
  type Question,
  questionsOf,
  shownBy,
  type SurveyEditorProps,
} from "@/components/surveys/questions.ts";
import { createUi } from "@/lib/i18n/ui.ts";

const ID = "survey-editor";

/**
 * The questions of a survey, with a preview of the start. They are added, removed and moved in
 * place. Without a script, the same buttons send the form.
 */
export default function SurveyEditor({ form, language, texts, first }: SurveyEditorProps) {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef<Change | null>(first ?? null);
  const [questions, setQuestions] = useState(() => {
    const typed = withTyped(questionsOf(form));
    return first ? changed(typed, first) : typed;
  });
  const keyOf = (questions: readonly Question[]) => islandKey([shownBy(questions), language]);
  const [shownFirst] = useState(() => keyOf(questionsOf(form)));
  const [isAwake, setAwake] = useState(false);
  const [ui] = useState(() => {
    const t = (key: string, params: object = {}) => fill(texts[key] ?? key, params);
    return createUi({ language, theme: "system", basePath: "", t });
  });
  const change = useCallback((change: Change) => {
    latest.current = change;
    setQuestions((before) => changed(before, change));
  }, []);

  useEffect(() => setAwake(true), []);
  useLayoutEffect(() => {
    if (!latest.current) return;
    focusAfter(latest.current, questions, root.current!);
    latest.current = null;
    // The form has changed, as if someone had typed.
    root.current!.dispatchEvent(new Event("input", { bubbles: true }));
  }, [questions]);

  const typed = ({ target }: FormEvent<HTMLDivElement>) => {
    const place = fieldOf((target as HTMLInputElement).name ?? "");
    if (!place) return;
    const value = valueOf(target as HTMLInputElement);
    setQuestions((before) => changed(before, { kind: "type", ...place, value }));
  };
  return (
    <div
      ref={root}
      id={ID}
      class="survey"
      data-island={keyOf(questions)}
      data-first={shownFirst}
      onInput={typed}
    >
      {questions.map((question, index) => {
        const { id } = question;
        const isLast = index === questions.length - 1;
        return <QuestionFields key={id} {...{ ui, question, index, isLast, change }} />;
      })}
      <AddQuestion text={ui.t("survey.add")} onAdd={() => change({ kind: "add" })} />
      {isAwake && questions.length > 0 && <SurveyPreview ui={ui} questions={questions} />}
    </div>
  );
}

const fill = (text: string, params: object) =>
  Object.entries(params).reduce((text, [name, value]) => text.replace(`{{${name}}}`, value), text);

const valueOf = (field: HTMLInputElement) =>
  field.type === "checkbox" && !field.checked ? "" : field.value;

/** Returns the questions with what was typed before the script started. */
function withTyped(questions: Question[]): Question[] {
  if (!IS_BROWSER) return questions;
  const fields = document.getElementById(ID)?.querySelectorAll<HTMLInputElement>("[name]") ?? [];
  return [...fields].reduce((before, field) => {
    const place = fieldOf(field.name);
    return place ? changed(before, { kind: "type", ...place, value: valueOf(field) }) : before;
  }, questions);
}

/** Focuses the field or the button at which someone continues. */
function focusAfter(change: Change, questions: readonly Question[], root: Element): void {
  const focus = (selector: string) => root.querySelector<HTMLElement>(selector);
  if (change.kind === "add") focus(`#survey-${questions.at(-1)!.number} input`)?.focus();
  else if (change.kind === "remove") focus("#survey-add")?.focus();
  else if (change.kind === "move") {
    const { number } = questions.find(({ id }) => id === change.id)!;
    const [same, other] = change.step < 0 ? ["up", "down"] : ["down", "up"];
    const button = (way: string) => focus(`[value="${way}.${number}"]:enabled`);
    (button(same) ?? button(other))?.focus();
  }
}
