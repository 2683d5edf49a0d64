import type { Ui } from "../../lib/i18n/ui.ts";
import type { Progress } from "../../lib/tasks/progress.ts";

interface RunProgressProps {
  ui: Ui;
  /** Of the task. */
  id: number;
  progress: Progress;
}

/** How far a run has come. Where nothing tells how long it will be, only what was done so far. */
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
