import { Button } from "@/components/ui/Button.tsx";
import { FilterBar } from "@/components/ui/lists/FilterBar.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import {
  COLUMNS_CHOICE,
  listAddress,
  type ListState,
  OPTIONAL_COLUMNS,
  type OptionalColumn,
  orderBy,
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
  const labels = columnLabels(ui);
  const sorts: SortColumn[] = ["name", ...columns.includes("last_task") ? ["status"] as const : []];
  const offered = [...new Set<SortColumn>([...sorts, ...columns, state.sort])];
  return (
    <FilterBar
      ui={ui}
      id="templates"
      action={ui.href(page)}
      search={{ value: state.q, label: ui.t("templates.filter") }}
      sort={{
        options: offered.map((column) => ({ value: column, label: labels[column] })),
        value: state.sort,
      }}
      kept={{ order: state.order === orderBy(state.sort, state.usual) ? undefined : state.order }}
      clear={ui.href(listAddress(page, { ...state, q: "" }))}
      isFiltered={state.q !== ""}
      count={state.q === ""
        ? ui.t("templates.count", { count: total })
        : ui.t("lists.shown_of", { rows: shown, total })}
    />
  );
}

/** Labels of columns and sort options. */
export const columnLabels = (ui: Ui): Record<SortColumn, string> => ({
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
