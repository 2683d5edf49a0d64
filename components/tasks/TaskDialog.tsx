import { TASK_FACTS_KEYS } from "./TaskFacts.tsx";
import TaskHeader from "@/islands/TaskHeader.tsx";
import TaskLog from "@/islands/TaskLog.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import type { LogRecord } from "@/lib/tasks/log_chunk.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface TaskDialogProps {
  ui: Ui;
  task: TaskView;
  /** The newest lines: all that is shown without JavaScript, beside a link to the whole. */
  tail: LogRecord[];
  mayRun: boolean;
  /** Address of the page below. */
  close: string;
}

/** A task and its output, over any page of its project. */
export function TaskDialog({ ui, task, tail, mayRun, close }: TaskDialogProps) {
  const { id, project_id: projectId, template_id: templateId } = task;
  const api = ui.href(`/api/project/${projectId}/tasks/${id}`);
  return (
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
      close={{ href: close, label: ui.t("actions.close") }}
    >
      {task.message && <Alert class="mb-4">{visible(task.message)}</Alert>}
      <TaskHeader
        task={task}
        mayRun={mayRun}
        language={ui.language}
        basePath={ui.href("")}
        texts={Object.fromEntries(TASK_FACTS_KEYS.map((key) => [key, ui.t(key)]))}
      />
      <TaskLog
        eventsUrl={`${api}/events`}
        initial={tail}
        language={ui.language}
        texts={{
          label: ui.t("task_log.label"),
          follow: ui.t("task_log.follow"),
          search: ui.t("task_log.search"),
          found: ui.t("task_log.found", { count: "{{count}}" }),
          lines: ui.t("task_log.lines", { count: "{{count}}" }),
          empty: ui.t("task_log.empty"),
          reconnecting: ui.t("task_log.reconnecting"),
        }}
      />
      <p class="mb-0 flex flex-wrap gap-4">
        <a href={ui.href(paths.taskPage(projectId, id))}>{ui.t("task_log.page")}</a>
        <a href={`${api}/raw_output`}>{ui.t("task_log.raw")}</a>
      </p>
    </Dialog>
  );
}
