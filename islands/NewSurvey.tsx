import { type ComponentType, useEffect, useRef, useState } from "react";
import { AddQuestion } from "@/components/surveys/AddQuestion.tsx";
import type { Change, SurveyEditorProps } from "@/components/surveys/questions.ts";
import { islandKey } from "@/lib/client/page/island_key.ts";
import { onceGone } from "@/lib/client/page/lifetime.ts";
import { onceTouched } from "@/lib/client/page/touch.ts";

const ADD: Change = { kind: "add" };

/**
 * A survey without questions, as most templates have it. Its editor is loaded once someone touches
 * the page, so that it is there before a question is typed. Without a script, the button sends the
 * form.
 */
export default function NewSurvey(props: SurveyEditorProps) {
  const root = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<{ Editor: ComponentType<SurveyEditorProps> } | null>(null);
  const [isPressed, setPressed] = useState(false);
  const load = () => import("./SurveyEditor.tsx").then((its) => setLoaded({ Editor: its.default }));

  useEffect(() => {
    const gone = new AbortController();
    onceTouched(() => void load().catch(() => {}), gone.signal); // A press tries again.
    const release = onceGone(root.current!, () => gone.abort());
    return () => {
      release();
      gone.abort();
    };
  }, []);

  function add(button: HTMLButtonElement) {
    setPressed(true);
    load().catch(() => button.form!.requestSubmit(button));
  }

  if (loaded) return <loaded.Editor {...props} first={isPressed ? ADD : undefined} />;
  return (
    <div
      ref={root}
      id="survey-editor"
      class="survey"
      data-island={islandKey([[], props.language])}
    >
      <AddQuestion text={props.texts["survey.add"]} isBusy={isPressed} onAdd={add} />
    </div>
  );
}
