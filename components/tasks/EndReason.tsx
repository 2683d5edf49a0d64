import { briefLook, Reason } from "@/components/ui/Reason.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface EndReasonProps {
  ui: Ui;
  task: Pick<TaskView, "id" | "project_id" | "template_id" | "status" | "reason">;
  /** Link to the task's output; by default over the page of its template. */
  output?: string;
  /** Whether the link leads to a task over a page. */
  over?: boolean;
  /** Whether it is one text, for a row of a list. */
  brief?: boolean;
}

/** The reason of a task's status, with a link to the line of the output that reports it. */
export function EndReason({ ui, task, output, over = true, brief }: EndReasonProps) {
  const { id, project_id, template_id, status, reason } = task;
  if (!reason) return null;
  return (
    <Reason
      {...{ ui, reason, over, brief }}
      class={brief ? briefLook(status === "error") : undefined}
      output={output ?? ui.href(paths.task(project_id, template_id, id))}
    />
  );
}
