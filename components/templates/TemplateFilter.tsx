import { Button } from "@/components/ui/Button.tsx";
import { SearchField } from "@/components/ui/SearchField.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import {
  COLUMNS_CHOICE,
  FILTER_LENGTH_MAX,
  type ListState,
  OPTIONAL_COLUMNS,
  type OptionalColumn,
  type SortColumn,
} from "@/lib/templates/list.ts";
import { Menu } from "@/components/ui/Menu.tsx";
import { paths } from "@/lib/base/paths.ts";

interface TemplateFilterProps {
  ui: Ui;
  /** Address of the list, without its state. */
  page: string;
  state: ListState;
  /** Columns other than the name that the list can be sorted by. */
  columns: OptionalColumn[];
  /** Number of templates shown, and in total. */
  shown: number;
  total: number;
}

/** Filter for templates. On phones, where lists have no headings, it also sorts. */
export function TemplateFilter(
  { ui, page, state, columns, shown, total }: TemplateFilterProps,
) {
  return (
    <form method="get" action={ui.href(page)} class="list-filter" role="search" data-stay>
      <SearchField
        id="templates-filter"
        name="q"
        value={state.q}
        maxLength={FILTER_LENGTH_MAX}
        label={ui.t("templates.filter")}
      />
      <Order ui={ui} state={state} columns={columns} />
      <Button class="no-script">{ui.t("templates.filter_apply")}</Button>
      <output id="templates-count" class="text-muted text-sm">
        {state.q === ""
          ? ui.t("templates.count", { count: total })
          : ui.t("templates.count_of", { shown, total })}
      </output>
    </form>
  );
}

/** Visible only on phones, but always sent, so that filtering does not change the order. */
function Order({ ui, state, columns }: Pick<TemplateFilterProps, "ui" | "state" | "columns">) {
  const labels = columnLabels(ui);
  const sorts: SortColumn[] = ["name", ...columns.includes("last_task") ? ["status"] as const : []];
  const offered = [...new Set<SortColumn>([...sorts, ...columns, state.sort])];
  return (
    <>
      <select id="templates-sort" name="sort" aria-label={ui.t("templates.sort")}>
        {offered.map((column) => (
          <option value={column} selected={column === state.sort}>{labels[column]}</option>
        ))}
      </select>
      {state.order === "desc" && <input type="hidden" name="order" value="desc" />}
    </>
  );
}

/** Labels of columns and sort options. */
const columnLabels = (ui: Ui): Record<SortColumn, string> => ({
  name: ui.t("templates.name"),
  status: ui.t("tasks.status_label"),
  type: ui.t("templates.type_label"),
  version: ui.t("tasks.version"),
  last_task: ui.t("templates.last_task"),
  playbook: ui.t("templates.playbook"),
  inventory: ui.t("templates.inventory"),
  environment: ui.t("templates.environment"),
  repository: ui.t("templates.repository"),
});

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
