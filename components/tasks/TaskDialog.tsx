import { TASK_FACTS_KEYS } from "./TaskFacts.tsx";
import { type ShownTab, TaskTab, TaskTabs } from "./TaskTab.tsx";
import { logTexts } from "./log_texts.ts";
import { settingOf, taskTitle } from "./task_setting.ts";
import TaskHeader from "@/islands/TaskHeader.tsx";
import TaskLog from "@/islands/TaskLog.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { TaskOverlay } from "@/lib/web/pages/overlay.ts";
import { isFinished } from "@/lib/tasks/status.ts";

interface TaskDialogProps {
  ui: Ui;
  open: TaskOverlay;
  shown: ShownTab;
  /** The project's name. */
  project: string;
  mayRun: boolean;
}

/** A task with its output or another of its tabs, over any page of its project. */
export function TaskDialog(props: TaskDialogProps) {
  const { ui, open, shown, project, mayRun } = props;
  const { task, start, close } = open;
  const { id, project_id: projectId, template_id: templateId } = task;
  return (
    <>
      <Title ui={ui} parts={taskTitle(task, ui.t(`tasks.status.${task.status}`), project)} />
      <Dialog
        id="task"
        level={2}
        width="huge"
        title={
          <>
            <a href={ui.href(paths.template(projectId, templateId))}>{task.tpl_alias}</a>
            {" › "}
            {ui.t("tasks.title", { id })}
          </>
        }
        close={{ href: ui.href(close), label: ui.t("actions.close") }}
      >
        {task.message && <p class="mt-0 mb-3">{visible(task.message)}</p>}
        {start
          ? <Output {...props} start={start} />
          : <TaskTab ui={ui} about={open} shown={shown} mayRun={mayRun} />}
      </Dialog>
    </>
  );
}

type OutputProps = TaskDialogProps & { start: NonNullable<TaskOverlay["start"]> };

/** The task's output, live. */
function Output({ ui, open, shown, project, mayRun, start }: OutputProps) {
  const { task, line, here } = open;
  const { id, project_id: projectId } = task;
  const api = ui.href(`/api${paths.taskPage(projectId, id)}`);
  const about = { language: ui.language, timeZone: ui.timeZone, api };
  const title = [...taskTitle(task, "{{status}}", project), ui.t("app.name")];
  return (
    <div id="task-live">
      <TaskHeader
        {...about}
        locale={ui.locale}
        task={{ ...task, end_reason: ui.tell(task.end_reason) }}
        setting={settingOf(ui, open, mayRun)}
        title={visible(title.join(" - "))}
        basePath={ui.href("")}
        texts={Object.fromEntries(
          [...TASK_FACTS_KEYS, "live.unreachable"].map((key) => [key, ui.t(key)]),
        )}
      />
      <TaskTabs ui={ui} tabs={shown.tabs} />
      <TaskLog
        {...about}
        taskId={id}
        start={{ ...start, isLive: !isFinished(task.status) }}
        line={line}
        lineUrl={`${ui.href(here)}&line=`}
        texts={logTexts(ui)}
      />
      <p class="log-links">
        <a href={ui.href(paths.taskPage(projectId, id))}>{ui.t("task_log.page")}</a>
        <a href={`${api}/raw_output?plain=true`}>{ui.t("task_log.raw")}</a>
        <a href={`${api}/raw_output?plain=true&times=true`}>{ui.t("task_log.raw_times")}</a>
      </p>
    </div>
  );
}

/** A dialog that says that the task does not exist. */
export function NoTask({ ui, id, close }: { ui: Ui; id: string; close: string }) {
  return (
    <Dialog
      id="no-task"
      level={2}
      title={ui.t("tasks.missing_title")}
      close={{ href: ui.href(close), label: ui.t("actions.close") }}
    >
      <Alert kind="danger">{ui.t("tasks.missing", { id })}</Alert>
    </Dialog>
  );
}
