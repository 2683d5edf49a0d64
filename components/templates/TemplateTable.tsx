import { LastTasks } from "./LastTasks.tsx";
import { allColumns, type TemplateColumnsProps } from "./template_columns.tsx";
import { type Column, Table } from "@/components/ui/Table.tsx";
import type { TaskView } from "@/lib/tasks/schema.ts";
import { listAddress, type OptionalColumn, type SortColumn } from "@/lib/templates/list.ts";
import { TEMPLATE_COLUMNS, type TemplateView } from "@/lib/templates/schema.ts";
import type { ComponentChildren } from "preact";

interface TemplateTableProps extends TemplateColumnsProps {
  templates: TemplateView[];
  /** The columns that are shown besides the name and the buttons. */
  columns: OptionalColumn[];
  /** The newest tasks of the template whose row is open. */
  lastTasks: TaskView[];
  empty: ComponentChildren;
}

/** A project's templates, each with its last task and the button that runs it. */
export function TemplateTable(props: TemplateTableProps) {
  const { ui, templates, page, state, lastTasks, mayRun, empty } = props;
  return (
    <Table
      caption={ui.t("templates.title")}
      rows={templates}
      rowId={({ id }) => `template-${id}`}
      empty={empty}
      columns={columnsOf(props)}
      below={({ id }) =>
        id === state.open && (
          <LastTasks ui={ui} tasks={lastTasks} page={listAddress(page, state)} mayRun={mayRun} />
        )}
    />
  );
}

/** The name, the columns that were chosen, and the buttons; sorted where the API sorts. */
function columnsOf(props: TemplateTableProps): Column<TemplateView>[] {
  const all = allColumns(props);
  return (["name", ...props.columns, "actions"] as const).map((id) => ({
    ...all[id],
    sort: isSortColumn(id) ? sortBy(props, id) : undefined,
  }));
}

const isSortColumn = (id: string): id is SortColumn =>
  (TEMPLATE_COLUMNS as readonly string[]).includes(id);

/** Leads to the list sorted by a column; when it is already, the other way around. */
function sortBy({ ui, page, state }: TemplateTableProps, sort: SortColumn): Column<never>["sort"] {
  const isSorted = state.sort === sort;
  const order = isSorted && state.order === "asc" ? "desc" : "asc";
  return {
    href: ui.href(listAddress(page, { ...state, sort, order })),
    order: isSorted ? (state.order === "asc" ? "ascending" : "descending") : undefined,
  };
}
