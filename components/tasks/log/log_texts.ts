import { pluralForms } from "@/lib/i18n/plural.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** The texts of the log's island. */
export const logTexts = (ui: Ui) => ({
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
  empty: ui.t("task_log.empty"),
  reconnecting: ui.t("task_log.reconnecting"),
  copy: ui.t("task_log.copy"),
  copied: ui.t("task_log.copied"),
  download: ui.t("task_log.download"),
});
export type TaskLogTexts = ReturnType<typeof logTexts>;
