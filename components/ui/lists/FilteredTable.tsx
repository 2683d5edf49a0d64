import type { ComponentChildren } from "preact";
import { tableAddress, type TableState } from "../../../lib/base/lists/table_state.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { arrangeRows, type ListColumn } from "./arrange_rows.ts";
import { EmptyState } from "./EmptyState.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { ListPages } from "./ListPages.tsx";
import { type Sort, Table, type TableProps } from "./Table.tsx";

interface FilteredTableProps<Row> extends Omit<TableProps<Row>, "columns" | "live"> {
  ui: Ui;
  /** Begins the ids of the filter. */
  id: string;
  /** Complete address of the list; its query stays. */
  path: string;
  state: TableState;
  /** The first one is the usual one to sort by. */
  columns: ListColumn<Row>[];
  /** Key of the sentence shown if no row matches `q`. */
  noMatch: string;
  /** Further fields of the filter, whose values are in `kept`. */
  filters?: ComponentChildren;
  kept?: Record<string, string | undefined>;
}

/** A table with a filter, headings that sort, and pages. */
export function FilteredTable<Row>(props: FilteredTableProps<Row>) {
  const { ui, id, path, state, columns, rows: all, noMatch, filters, kept = {}, empty } = props;
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(kept)) if (value) asked.set(name, value);
  const list = asked.size > 0 ? `${path}?${asked}` : path;
  const { shown, matching, sortedBy, order } = arrangeRows(all, columns, state, ui.language);
  const at = (changed: Partial<TableState>) => tableAddress(list, { ...state, ...changed });
  const isSearched = state.q !== "";
  return (
    <>
      <FilterBar
        ui={ui}
        id={id}
        action={path}
        search={{ value: state.q, label: ui.t("actions.filter") }}
        sort={{
          options: columns.filter(isSortable).map(({ id, label }) => ({ value: id!, label })),
          value: sortedBy.id!,
        }}
        kept={{ order: state.order }}
        clear={tableAddress(path, { ...state, q: "", page: null })}
        isFiltered={isSearched || asked.size > 0}
        rows={all.length}
        count={isSearched ? ui.t("lists.shown_of", { rows: matching, total: all.length }) : ""}
      >
        {filters}
      </FilterBar>
      <Table
        {...props}
        rows={shown.rows}
        allRows={all}
        columns={columns.map((column) => ({
          ...column,
          sort: isSortable(column)
            ? sortOf(column, column === sortedBy ? order : null, at)
            : undefined,
        }))}
        empty={isSearched && all.length > 0
          ? (
            <EmptyState icon="filter" title={ui.t(noMatch, { q: state.q })}>
              <a href={at({ q: "", page: null })} data-stay>{ui.t("lists.clear_filter")}</a>
            </EmptyState>
          )
          : empty}
      />
      <ListPages {...{ ui, shown, at }} count={matching} all={state.all} />
    </>
  );
}

const isSortable = <Row,>({ id, value }: ListColumn<Row>) =>
  id !== undefined && value !== undefined;

/** Link that sorts the list by a column, or reverses the order if it is already sorted by it. */
function sortOf<Row>(
  { id, usual = "asc" }: ListColumn<Row>,
  order: "asc" | "desc" | null,
  at: (changed: Partial<TableState>) => string,
): Sort {
  const next = order === null ? usual : order === "asc" ? "desc" : "asc";
  return {
    href: at({ sort: id, order: next === usual ? "" : next, page: null }),
    order: order === null ? undefined : order === "asc" ? "ascending" : "descending",
  };
}
