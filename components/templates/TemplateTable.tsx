import { LastTasks } from "./LastTasks.tsx";
import { allColumns, type TemplateColumnsProps } from "./template_columns.tsx";
import { type Column, Table } from "@/components/ui/Table.tsx";
import type { TaskView } from "@/lib/tasks/schema.ts";
import {
  listAddress,
  type ListState,
  type OptionalColumn,
  type SortColumn,
} from "@/lib/templates/list.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { ComponentChildren } from "preact";

interface TemplateTableProps extends TemplateColumnsProps {
  templates: TemplateView[];
  /** Visible columns besides the name and the buttons. */
  columns: OptionalColumn[];
  /** The latest tasks of the template whose row is open. */
  lastTasks: TaskView[];
  empty: ComponentChildren;
}

/** A project's templates, each with its latest task and a button to run it. */
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
          <LastTasks
            {...{ ui, mayRun }}
            templateId={id}
            tasks={lastTasks}
            page={listAddress(page, state)}
          />
        )}
    />
  );
}

/** The name, the chosen columns, and the buttons. */
function columnsOf(props: TemplateTableProps): Column<TemplateView>[] {
  const all = allColumns(props);
  const { ui } = props;
  return (["name", ...props.columns, "actions"] as const).map((id) => {
    if (id === "actions") return all[id];
    const sort = id === "last_task"
      ? [
        { label: ui.t("tasks.status_label"), ...sortBy(props, "status") },
        { label: all[id].label, ...sortBy(props, id, "desc") },
      ]
      : sortBy(props, id);
    return { ...all[id], sort };
  });
}

/** Link that sorts the list by a column, or reverses the order if it is already sorted by it. */
function sortBy(
  { ui, page, state }: TemplateTableProps,
  sort: SortColumn,
  first: ListState["order"] = "asc",
) {
  const isSorted = state.sort === sort;
  const order = isSorted ? (state.order === "asc" ? "desc" : "asc") : first;
  return {
    href: ui.href(listAddress(page, { ...state, sort, order })),
    order: isSorted ? ORDERS[state.order] : undefined,
  };
}

const ORDERS = { asc: "ascending", desc: "descending" } as const;
