import { briefLook, Reason } from "@/components/ui/Reason.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";

interface RunReasonProps {
  ui: Ui;
  run: Pick<RunView, "project_id" | "status" | "end_reason" | "failed_task">;
  /** Whether it is one text, for a row of a list. */
  brief?: boolean;
}

/** The reason of a run's end, with links to the task that explains it. */
export function RunReason({ ui, run, brief }: RunReasonProps) {
  const { project_id, status, end_reason: message, failed_task: task } = run;
  const output = task ? ui.href(paths.task(project_id, task.template_id, task.id)) : undefined;
  const line = task?.line ?? null;
  return (
    <Reason
      {...{ ui, output, brief }}
      reason={{ subject: "", step: "", message, more: 0, place: null, line }}
      class={brief ? briefLook(status === "failed") : undefined}
    >
      {task && <a href={output}>{`${ui.t("tasks.task")} #${task.id}`}</a>}
    </Reason>
  );
}
