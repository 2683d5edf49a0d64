import type { Ui } from "../../lib/i18n/ui.ts";
import { Button } from "../ui/Button.tsx";

/** The button that counts what would be deleted, and stores nothing. */
export const PREVIEW = "preview";

interface RetentionEstimateProps {
  ui: Ui;
  /** Tasks that the next cleanup would delete; null while the limits are invalid. */
  expiry: {
    limits: { tasksPerTemplate: number; taskDays: number };
    tasks: number;
    more: boolean;
  } | null;
}

/** Shows what the typed limits would delete before they are stored. */
export function RetentionEstimate({ ui, expiry }: RetentionEstimateProps) {
  return (
    <div id="retention-preview" class="schedule-preview">
      <div role="status">{expiry && <ExpiryText ui={ui} expiry={expiry} />}</div>
      <Button
        name={PREVIEW}
        value="true"
        class="no-script mt-2"
        formNoValidate
        data-stay
        data-on="retention.max_tasks_per_template retention.max_age_days"
      >
        {ui.t("projects.kept.preview")}
      </Button>
    </div>
  );
}

function ExpiryText(
  { ui, expiry }: { ui: Ui; expiry: NonNullable<RetentionEstimateProps["expiry"]> },
) {
  const { limits: { tasksPerTemplate, taskDays }, tasks, more } = expiry;
  const kept = [
    tasksPerTemplate > 0 && ui.t("projects.kept.per_template", { count: tasksPerTemplate }),
    taskDays > 0 && ui.t("projects.kept.days", { count: taskDays }),
  ].filter(Boolean).join(" ");
  return (
    <>
      <p class="m-0">{kept || ui.t("projects.kept.all")}</p>
      {kept && (
        <p class={`m-0 ${tasks > 0 ? "font-semibold" : ""}`}>
          {ui.t(more ? "projects.kept.would_delete_more" : "projects.kept.would_delete", {
            count: tasks,
          })}
        </p>
      )}
    </>
  );
}
