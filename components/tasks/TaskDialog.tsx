import { TaskOutputPart } from "./TaskOutputPart.tsx";
import { type ShownTab, TaskTab } from "./TaskTab.tsx";
import { taskTitle } from "./task_setting.ts";
import { Alert } from "@/components/ui/Alert.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { mayFollow } from "@/lib/model/status.ts";
import type { TaskOverlay } from "@/lib/web/pages/overlay.ts";

interface TaskDialogProps {
  ui: Ui;
  open: TaskOverlay;
  shown: ShownTab;
  /** The project's name. */
  project: string;
  mayRun: boolean;
}

/** A task with its output or another of its tabs, over any page of its project. */
export function TaskDialog(
  { ui, open: { about, close }, shown, project, mayRun }: TaskDialogProps,
) {
  const { task } = about;
  const { id, project_id: projectId } = task;
  // Without a script, only this page follows the task.
  const page = <a href={ui.href(paths.taskPage(projectId, id))}>{ui.t("task_log.page")}</a>;
  return (
    <>
      <Title ui={ui} parts={taskTitle(task, ui.t(`tasks.status.${task.status}`), project)} />
      <Dialog
        ui={ui}
        id="task"
        width="huge"
        close={ui.href(close)}
      >
        {"start" in about
          ? (
            <TaskOutputPart ui={ui} about={about} shown={shown} project={project} mayRun={mayRun}>
              {page}
            </TaskOutputPart>
          )
          : <TaskTab ui={ui} about={about} shown={shown} mayRun={mayRun} />}
        {mayFollow(task.status) && (
          <p class="no-script">
            {ui.t("task_log.more")} {page}
          </p>
        )}
      </Dialog>
    </>
  );
}

/** A dialog that says that the task does not exist. */
export function NoTask({ ui, id, close }: { ui: Ui; id: string; close: string }) {
  return (
    <Dialog
      ui={ui}
      id="no-task"
      level={2}
      title={ui.t("tasks.missing_title")}
      close={ui.href(close)}
    >
      <Alert kind="danger">{ui.t("tasks.missing", { id })}</Alert>
    </Dialog>
  );
}
