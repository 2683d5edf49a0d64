import { pluralForms } from "@/lib/i18n/plural.ts";
import { isFinished } from "@/lib/model/status.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Whether a task was stopped while it waited. */
export const hasNeverBegun = ({ status, start }: Pick<TaskView, "status" | "start">): boolean =>
  status === "stopped" && start === null;

/** Says why a task has no output: yet, or because it was stopped before it began. */
export function noOutputText(
  ui: Ui,
  { status, start, reason }: Pick<TaskView, "status" | "start" | "reason">,
): string {
  if (!isFinished(status)) return ui.t("task_log.empty");
  if (!hasNeverBegun({ status, start })) return ui.t("task_log.none");
  return ui.t("task_log.never_began", { reason: ui.tell(reason?.message ?? "") });
}

/** The texts of the log's island. */
export const logTexts = (ui: Ui, task: TaskView) => ({
  label: ui.t("task_log.label"),
  follow: ui.t("task_log.follow"),
  wrap: ui.t("task_log.wrap"),
  fold: ui.t("task_log.fold"),
  fold_toggle: ui.t("task_log.fold_toggle", { title: "{{title}}" }),
  failed: pluralForms(ui, "task_log.failed"),
  first_failure: ui.t("task_log.failure_way"),
  first_failure_key: ui.t("task_log.first_failure"),
  full_screen: ui.t("task_log.full_screen"),
  search: ui.t("task_log.search"),
  regex: ui.t("task_log.regex"),
  case: ui.t("task_log.case"),
  next: ui.t("task_log.next"),
  previous: ui.t("task_log.previous"),
  searching: ui.t("task_log.searching"),
  found: pluralForms(ui, "task_log.found"),
  found_so_far: ui.t("task_log.found_so_far"),
  found_at: ui.t("task_log.found_at"),
  lines: pluralForms(ui, "task_log.lines"),
  empty: noOutputText(ui, task),
  none: ui.t("task_log.none"),
  reconnecting: ui.t("task_log.reconnecting"),
  copy: ui.t("task_log.copy"),
  copied: ui.t("task_log.copied"),
  download: ui.t("task_log.download"),
});
export type TaskLogTexts = ReturnType<typeof logTexts>;
