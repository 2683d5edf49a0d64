import { LogLink, TaskVersion } from "@/components/tasks/TaskTable.tsx";
import { Dash } from "@/components/ui/lists/cells.tsx";
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

type Part = LastRunProps & { news?: News };

/** Status of a template's latest task. */
export const LastStatus = ({ ui, templateId, task, news }: Part) => (
  <span id={`last-${templateId}`} data-told={news?.announcement}>
    <StatusChip ui={ui} status={task?.status ?? null} />
  </span>
);

/** Time of a template's latest task, its end or else its start, which leads to the log. */
export const LastTask = ({ ui, templateId, task, page }: LastRunProps & { page: string }) =>
  task
    ? (
      <span id={`last-log-${templateId}`}>
        <LogLink ui={ui} page={page} id={task.id}>
          <span class="sr-only">{`#${task.id} `}</span>
          <Time ui={ui} at={task.end ?? task.start ?? task.created} />
        </LogLink>
      </span>
    )
    : <Dash id={`last-log-${templateId}`} />;

/** The version that a template's latest task built or deployed. */
export const LastVersion = ({ ui, templateId, task }: LastRunProps) => (
  <TaskVersion ui={ui} task={task} id={`version-${templateId}`} />
);
