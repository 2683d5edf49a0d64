import { Button } from "@/components/ui/Button.tsx";
import { Menu } from "@/components/ui/Menu.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { COLUMNS_CHOICE, OPTIONAL_COLUMNS, type OptionalColumn } from "@/lib/templates/list.ts";

interface ColumnSettingsProps {
  ui: Ui;
  columns: OptionalColumn[];
  /** The page to come back to. */
  here: string;
}

/** Which columns this browser's lists of templates have: a form, which sets a cookie. */
export function ColumnSettings({ ui, columns, here }: ColumnSettingsProps) {
  const labels: Record<OptionalColumn, string> = {
    type: ui.t("templates.type_label"),
    version: ui.t("tasks.version"),
    status: ui.t("tasks.status_label"),
    last_task: ui.t("templates.last_task"),
    playbook: ui.t("templates.playbook"),
    inventory: ui.t("templates.inventory"),
    environment: ui.t("templates.environment"),
    repository: ui.t("templates.repository"),
  };
  return (
    <Menu label={ui.t("templates.columns")}>
      <form method="post" action={ui.href(paths.preferences())} class="column-settings" data-stay>
        <input type="hidden" name="back" value={here} />
        {/* Always there, and so sent even when nothing is ticked. */}
        <input type="hidden" name={COLUMNS_CHOICE} value="name" />
        {OPTIONAL_COLUMNS.map((column) => (
          <label class="check">
            <input
              type="checkbox"
              name={COLUMNS_CHOICE}
              value={column}
              checked={columns.includes(column)}
            />
            <span>{labels[column]}</span>
          </label>
        ))}
        <Button kind="primary">{ui.t("actions.save")}</Button>
      </form>
    </Menu>
  );
}
