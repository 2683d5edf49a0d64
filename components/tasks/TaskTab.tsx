import type { ComponentChildren } from "preact";
import { TaskFacts } from "./TaskFacts.tsx";
import { TaskApproval } from "./TaskApproval.tsx";
import { TaskOutputs } from "./TaskOutputs.tsx";
import { TaskRetries } from "./TaskRetries.tsx";
import { TaskWait } from "./TaskWait.tsx";
import { settingOf, taskTitle } from "./task_setting.ts";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { type Tab, Tabs } from "@/components/ui/Tabs.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskAbout } from "@/lib/web/pages/task_about.ts";
import type { Shell } from "@/lib/web/shell.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { isFinished } from "@/lib/model/status.ts";

/** Content of a task's tab other than its output. */
export interface ShownTab {
  tabs: Tab[];
  /** Null if the task has not reported results, or never did. */
  content: ComponentChildren;
  /** Whether it shows what is to be confirmed. */
  isReview: boolean;
  /** Address of its event stream; null if there will be no more changes. */
  live: string | null;
}

interface TaskTabProps {
  ui: Ui;
  about: TaskAbout;
  shown: ShownTab;
  mayRun: boolean;
}

export const TaskTabs = ({ ui, tabs }: { ui: Ui; tabs: Tab[] }) => (
  <Tabs id="task-tabs" label={ui.t("task_tabs.label")} tabs={tabs} />
);

/** The document's title on a page of a task. */
export const TaskPageTitle = ({ ui, shell, task }: { ui: Ui; shell: Shell; task: TaskView }) => (
  <Title ui={ui} parts={taskTitle(task, ui.t(`tasks.status.${task.status}`), shell.project.name)} />
);

/** A task's facts and one of its tabs. The event stream sends the same HTML again. */
export function TaskTab({ ui, about, shown, mayRun }: TaskTabProps) {
  return (
    <div id="task-live" data-live={shown.live ?? undefined}>
      <div id="task-facts">
        <TaskFacts ui={ui} task={about.task} setting={settingOf(ui, about, mayRun)} />
      </div>
      <TaskRetries ui={ui} {...about} />
      <TaskApproval ui={ui} {...about} isReview={shown.isReview} />
      <TaskOutputs ui={ui} {...about} />
      <TaskTabs ui={ui} tabs={shown.tabs} />
      <TaskWait ui={ui} {...about} />
      <div id="task-tab">
        {shown.content ?? <NothingReported ui={ui} isOver={isFinished(about.task.status)} />}
      </div>
    </div>
  );
}

const NothingReported = ({ ui, isOver }: { ui: Ui; isOver: boolean }) => (
  <EmptyState icon="info" title={ui.t(isOver ? "task_tabs.never" : "task_tabs.not_yet")}>
    {isOver && ui.t("task_tabs.never_why")}
  </EmptyState>
);
