import type { Ui } from "../../lib/i18n/ui.ts";
import type { Progress } from "../../lib/tasks/progress.ts";

interface RunProgressProps {
  ui: Ui;
  /** The task's id. */
  id: number;
  progress: Progress;
}

/** Progress of a task. If the total is unknown, only the completed part is shown. */
export function RunProgress(
  { ui, id, progress: { done, of } }: RunProgressProps,
) {
  const text = of === null
    ? ui.t("overview.done", { count: done })
    : ui.t("overview.done_of", { count: done, of });
  return (
    <span class="run-progress">
      {of !== null && (
        <progress id={`progress-${id}`} value={done} max={of} aria-label={`#${id}: ${text}`} />
      )}
      <span title={of === null ? ui.t("overview.no_measure") : ui.t("overview.measure")}>
        {text}
      </span>
    </span>
  );
}
