import { type ComponentType, type MouseEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/Button.tsx";
import type { Change, SurveyEditorProps } from "@/components/surveys/questions.ts";
import { islandKey } from "@/lib/client/page/island_key.ts";
import { onceGone } from "@/lib/client/page/lifetime.ts";
import { ADD_ROW } from "@/lib/web/forms/rows.ts";

const ADD: Change = { kind: "add" };

/**
 * A survey without questions, as most templates have it. Its editor is loaded once it is in sight.
 * Without a script, the button sends the form.
 */
export default function NewSurvey(props: SurveyEditorProps) {
  const root = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<{ Editor: ComponentType<SurveyEditorProps> } | null>(null);
  const [isPressed, setPressed] = useState(false);
  const load = () => import("./SurveyEditor.tsx").then((its) => setLoaded({ Editor: its.default }));

  useEffect(() => {
    const sight = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      sight.disconnect();
      load().catch(reportError); // A press tries again.
    });
    sight.observe(root.current!);
    return onceGone(root.current!, () => sight.disconnect());
  }, []);

  function add(event: MouseEvent<HTMLButtonElement>) {
    const button = event.currentTarget;
    event.preventDefault();
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
      <Button
        name="question"
        value={ADD_ROW}
        icon="plus"
        id="survey-add"
        formaction="#survey-add"
        data-stay
        aria-busy={isPressed || undefined}
        onClick={add}
      >
        {props.texts["survey.add"]}
      </Button>
    </div>
  );
}
