import type { Ui } from "../../lib/i18n/ui.ts";
import { type Status, STATUSES } from "../../lib/tasks/status.ts";
import { Button } from "../ui/Button.tsx";

interface HistoryFilterProps {
  ui: Ui;
  /** Complete path of the page. */
  action: string;
  status?: Status;
}

/** Shows only tasks of one status. Sent by its button: no script needed. */
export function HistoryFilter({ ui, action, status }: HistoryFilterProps) {
  return (
    <form method="get" action={action} class="filter-bar">
      <label for="filter-status">{ui.t("tasks.status_label")}</label>
      <select id="filter-status" name="status">
        <option value="">{ui.t("lists.all")}</option>
        {STATUSES.map((one) => (
          <option value={one} selected={one === status}>{ui.t(`tasks.status.${one}`)}</option>
        ))}
      </select>
      <Button icon="filter">{ui.t("actions.filter")}</Button>
    </form>
  );
}
