import type { ComponentChildren } from "preact";
import { TaskFacts } from "./TaskFacts.tsx";
import { settingOf } from "./task_setting.ts";
import { EmptyState } from "@/components/ui/EmptyState.tsx";
import { type Tab, Tabs } from "@/components/ui/Tabs.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskAbout } from "@/lib/web/pages/task_about.ts";
import { isFinished } from "@/lib/tasks/status.ts";

/** What is shown of a task beside its output. */
export interface ShownTab {
  tabs: Tab[];
  /** Null while the run has told nothing, or when it never did. */
  content: ComponentChildren;
  /** Where it hears of news; null when nothing is new any more. */
  live: string | null;
}

interface TaskTabProps {
  ui: Ui;
  about: TaskAbout;
  shown: ShownTab;
  mayRun: boolean;
}

/** The ways to what a task has told. */
export const TaskTabs = ({ ui, tabs }: { ui: Ui; tabs: Tab[] }) => (
  <Tabs id="task-tabs" label={ui.t("task_tabs.label")} tabs={tabs} />
);

/** How a task stands, and one of its tabs. As it is on a page, its stream sends it anew. */
export function TaskTab({ ui, about, shown, mayRun }: TaskTabProps) {
  return (
    <div id="task-live" data-live={shown.live ?? undefined}>
      <div id="task-facts">
        <TaskFacts ui={ui} task={about.task} setting={settingOf(ui, about, mayRun)} />
      </div>
      <TaskTabs ui={ui} tabs={shown.tabs} />
      <div id="task-tab">
        {shown.content ?? <NothingTold ui={ui} isOver={isFinished(about.task.status)} />}
      </div>
    </div>
  );
}

const NothingTold = ({ ui, isOver }: { ui: Ui; isOver: boolean }) => (
  <EmptyState icon="info" title={ui.t(isOver ? "task_tabs.never" : "task_tabs.not_yet")}>
    {isOver && ui.t("task_tabs.never_why")}
  </EmptyState>
);
