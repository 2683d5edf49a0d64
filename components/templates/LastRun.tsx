import { LogLink, TaskVersion } from "@/components/tasks/TaskTable.tsx";
import { StatusChip } from "@/components/ui/StatusChip.tsx";
import type { News } from "@/components/ui/lists/Table.tsx";
import { Time } from "@/components/ui/Time.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface LastRunProps {
  ui: Ui;
  templateId: number;
  /** The template's latest task; null if it never ran. */
  task: TaskView | null;
}

/** Status, log, time and user of a template's latest task, on one line. */
export function LastRun(
  { ui, templateId, task, page, news }: LastRunProps & { page: string; news?: News },
) {
  const at = task && (task.end ?? task.start ?? task.created);
  return (
    <div class="last-run" id={`last-${templateId}`} data-told={news?.announcement}>
      <StatusChip ui={ui} status={task?.status ?? null} />
      {task && (
        <>
          {" "}
          <LogLink ui={ui} page={page} id={task.id} />{" "}
          <span class="clamp text-muted">
            <Time ui={ui} at={at} />
            {task.user_name && (
              <span class="who">{` ${ui.t("tasks.by", { name: ui.person(task) })}`}</span>
            )}
          </span>
        </>
      )}
    </div>
  );
}

/** The version that a template's latest task built or deployed. */
export const LastVersion = ({ ui, templateId, task }: LastRunProps) => (
  <TaskVersion ui={ui} task={task} id={`version-${templateId}`} />
);
