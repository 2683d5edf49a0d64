import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

interface EndReasonProps {
  ui: Ui;
  task: Pick<TaskView, "id" | "project_id" | "template_id" | "end_reason" | "failure_line">;
  /** Link to the task's output; by default over the page of its template. */
  output?: string;
  /** Whether the link leads to a task over a page. */
  over?: boolean;
  class?: string;
}

/** The reason for a task's end, with a link to the line of the output that reports it. */
export function EndReason({ ui, task, output, over = true, class: look }: EndReasonProps) {
  const text = ui.tell(task.end_reason);
  const { id, project_id, template_id, failure_line: line } = task;
  if (line === null) return <span class={look} title={text}>{text}</span>;
  const log = output ?? ui.href(paths.task(project_id, template_id, id));
  const href = `${log}${log.includes("?") ? "&" : "?"}line=${line}`;
  return (
    <a class={look} title={text} href={href} data-over={over || undefined} data-line={line}>
      {text}
    </a>
  );
}
