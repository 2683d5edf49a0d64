import { briefLook, Reason } from "@/components/ui/Reason.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { RunView } from "@/lib/workflows/run_schema.ts";

interface RunReasonProps {
  ui: Ui;
  run: Pick<RunView, "project_id" | "status" | "reason" | "failed_task">;
  /** Whether it is one text, for a row of a list. */
  brief?: boolean;
}

/** The reason of a run's status, with links to the task that explains it. */
export function RunReason({ ui, run, brief }: RunReasonProps) {
  const { project_id, status, reason, failed_task: task } = run;
  if (!reason) return null;
  const output = task ? ui.href(paths.task(project_id, task.template_id, task.id)) : undefined;
  return (
    <Reason
      {...{ ui, reason, output, brief }}
      class={brief ? briefLook(status === "failed") : undefined}
    >
      {task && <a href={output}>{`${ui.t("tasks.task")} #${task.id}`}</a>}
    </Reason>
  );
}
