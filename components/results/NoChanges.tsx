import { Alert } from "@/components/ui/Alert.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";

/** Shown if there was no change, if there would be none, or if there is none yet. */
export const NothingChanged = (
  { ui, isOver, check }: { ui: Ui; isOver: boolean; check: boolean },
) => (
  <EmptyState
    icon="check"
    title={ui.t(!isOver ? "changes.none_yet" : check ? "changes.none_would" : "changes.none")}
  />
);

/** Explains how to enable diffs. */
export const DiffsOff = ({ ui, task, mayRun }: { ui: Ui; task: TaskView; mayRun: boolean }) => (
  <Alert title={ui.t("changes.off")} class="mb-3">
    <p class="m-0">{ui.t("changes.off_why")}</p>
    {mayRun && (
      <a href={ui.href(paths.startTask(task.project_id, task.template_id, task.id))} data-over>
        {ui.t("changes.again")}
      </a>
    )}
  </Alert>
);
