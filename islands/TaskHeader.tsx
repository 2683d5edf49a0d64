import { useEffect, useRef, useState } from "react";
import "@/components/ui/icons_of_heads.ts";
import { islandKey } from "@/lib/client/page/island_key.ts";
import { onceGone, SHOWN } from "@/lib/client/page/lifetime.ts";
import { TaskFacts, type TaskSetting } from "@/components/tasks/TaskFacts.tsx";
import { TASK_CHANGED } from "@/lib/client/output/task_events.ts";
import { Alert } from "@/components/ui/Alert.tsx";
import type { Language } from "@/lib/i18n/catalogs.ts";
import { createUi } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface TaskHeaderProps {
  task: TaskView;
  setting: TaskSetting;
  /** The document's title, with the placeholder "{{status}}". */
  title: string;
  /** Address of the task in the API. */
  api: string;
  language: Language;
  locale: string;
  timeZone: string;
  basePath: string;
  /** The texts of the header, by locale key. */
  texts: Record<string, string>;
}

/** Status of a task, kept up to date. `TaskLog` beside it receives changes and passes them on. */
export default function TaskHeader(
  { task: first, setting: firstSetting, title, api, language, locale, timeZone, basePath, texts }:
    TaskHeaderProps,
) {
  const root = useRef<HTMLDivElement>(null);
  const [task, setTask] = useState(first);
  const [setting, setSetting] = useState(firstSetting);
  const [failure, setFailure] = useState("");
  const t = (key: string) => texts[key] ?? key;

  useEffect(() => {
    function changed(event: Event) {
      const { detail } = event as CustomEvent<TaskView>;
      if (detail.id !== first.id) return;
      setTask(detail);
      document.title = title.replace("{{status}}", t(`tasks.status.${detail.status}`));
    }
    /** Its end brings what only the server knows, such as the hosts to repeat it on. */
    function shown() {
      const ended = root.current!.parentElement?.querySelector<HTMLElement>("#task-end")?.dataset;
      if (ended?.setting) setSetting(JSON.parse(ended.setting));
    }
    addEventListener(TASK_CHANGED, changed);
    document.addEventListener(SHOWN, shown);
    const end = () => {
      removeEventListener(TASK_CHANGED, changed);
      document.removeEventListener(SHOWN, shown);
    };
    const forget = onceGone(root.current!, end);
    return () => {
      forget();
      end();
    };
  }, []);

  /** The event stream reports the result. */
  async function stop(force: boolean) {
    setFailure("");
    // The pressed button disappears when its action is done.
    root.current!.focus({ preventScroll: true });
    try {
      const headers = { "Content-Type": "application/json", "Accept-Language": language };
      const body = JSON.stringify({ force });
      const answer = await fetch(`${api}/stop`, { method: "POST", headers, body });
      if (!answer.ok) setFailure((await answer.json()).error);
    } catch {
      setFailure(t("live.unreachable"));
    }
  }

  const key = islandKey([first.id, language, firstSetting]);
  const ui = createUi({ language, locale, theme: "system", basePath, timeZone, t });
  return (
    <div id="task-header" ref={root} tabIndex={-1} data-island={key}>
      {failure && <Alert kind="danger" class="mb-3">{failure}</Alert>}
      <TaskFacts ui={ui} task={task} setting={setting} onStop={stop} />
    </div>
  );
}
