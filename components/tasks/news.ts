import type { Ui } from "../../lib/i18n/ui.ts";
import type { TaskView } from "../../lib/tasks/schema.ts";
import type { News } from "../ui/lists/Table.tsx";

/** Data for a page about a task that changed; `into` is the id of its list. */
export const taskNews = (ui: Ui, task: TaskView, into?: string): News => ({
  into,
  announcement: ui.t("live.task", {
    id: task.id,
    name: task.tpl_alias,
    status: ui.t(`tasks.status.${task.status}`),
  }),
});
