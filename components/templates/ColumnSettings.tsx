import { columnLabels } from "./TemplateFilter.tsx";
import { Button } from "@/components/ui/Button.tsx";
import { Menu } from "@/components/ui/Menu.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { COLUMNS_CHOICE, OPTIONAL_COLUMNS, type OptionalColumn } from "@/lib/templates/list.ts";

interface ColumnSettingsProps {
  ui: Ui;
  columns: OptionalColumn[];
  /** The page to return to. */
  here: string;
}

/** Columns of this browser's lists of templates, as a form that sets a cookie. */
export function ColumnSettings({ ui, columns, here }: ColumnSettingsProps) {
  const labels = columnLabels(ui);
  return (
    <Menu label={ui.t("templates.columns")}>
      <form
        method="post"
        action={ui.href(paths.preferences())}
        class="column-settings"
        aria-labelledby="column-settings-title"
        data-stay
      >
        <h2 id="column-settings-title">{ui.t("templates.columns_shown")}</h2>
        <input type="hidden" name="back" value={here} />
        {/* Always sent, so that the choice is known even if nothing is ticked. */}
        <input type="hidden" name={COLUMNS_CHOICE} value="name" />
        {OPTIONAL_COLUMNS.map((column) => (
          <label class="check">
            <input
              type="checkbox"
              name={COLUMNS_CHOICE}
              value={column}
              checked={columns.includes(column)}
            />
            <span>{column === "last_task" ? ui.t("templates.last_run") : labels[column]}</span>
          </label>
        ))}
        <Button kind="primary">{ui.t("actions.save")}</Button>
      </form>
    </Menu>
  );
}
