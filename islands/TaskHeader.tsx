import { useEffect, useState } from "preact/hooks";
import { TaskFacts } from "@/components/tasks/TaskFacts.tsx";
import { TASK_CHANGED } from "@/components/tasks/task_events.ts";
import type { Language } from "@/lib/i18n/languages.ts";
import { createUi } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface TaskHeaderProps {
  task: TaskView;
  /** Whether the reader may stop and confirm it. */
  mayRun: boolean;
  language: Language;
  basePath: string;
  /** The sentences that `TaskFacts` shows, by locale key. */
  texts: Record<string, string>;
}

const SECOND_MS = 1_000;

/** How a task stands, kept up to date: `TaskLog` beside it hears of changes and passes them on. */
export default function TaskHeader(
  { task: first, mayRun, language, basePath, texts }: TaskHeaderProps,
) {
  const [task, setTask] = useState(first);
  const [now, setNow] = useState(() => new Date());
  const ended = task.end !== null;

  useEffect(() => {
    const changed = (event: Event) => setTask((event as CustomEvent<TaskView>).detail);
    addEventListener(TASK_CHANGED, changed);
    return () => removeEventListener(TASK_CHANGED, changed);
  }, []);

  useEffect(() => {
    if (ended) return;
    const timer = setInterval(() => setNow(new Date()), SECOND_MS);
    return () => clearInterval(timer);
  }, [ended]);

  const ui = createUi({ language, theme: "system", basePath, t: (key) => texts[key] ?? key });
  return (
    <div id="task-header" data-island>
      <TaskFacts ui={ui} task={task} mayRun={mayRun} now={now} />
    </div>
  );
}
